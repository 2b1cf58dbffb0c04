// An interface to Box2D in plain C. Box2D stops the process when it meets an invalid number, so every function checks
// its arguments first and returns a status. No C++ exception leaves this module.
//
// Units are Box2D's: metres, radians, kilograms, seconds. The y axis points downwards, so angles grow clockwise.
//
// A world numbers its bodies and joints. A number that is not in use gives FROST_BOX_INVALID, so a stale number is
// harmless. Numbers of destroyed bodies and joints are used again.
//
// Thread-safety: only one thread at a time may use a world. Different worlds are independent.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma clang assume_nonnull begin

/// The result of a call. The values are negative, because functions that return a number use them too.
typedef enum frost_box_status {
    /// The call succeeded.
    FROST_BOX_OK = 0,
    /// An argument is not finite, out of range, or the number of no body or joint. The world is unchanged.
    FROST_BOX_INVALID = -1,
    /// Memory ran out. The world is unchanged, except that a step may have lost contact events.
    FROST_BOX_NO_MEMORY = -2,
} frost_box_status;

/// The limits that arguments are checked against.
enum {
    /// The largest distance of a body from the origin along an axis. A body that goes farther is lost.
    FROST_BOX_MAX_COORDINATE = 10000,
    /// The largest side of a body.
    FROST_BOX_MAX_SIDE = 1000,
    /// The largest linear or angular velocity that can be added, and the largest angle.
    FROST_BOX_MAX_VELOCITY = 1000,
};

/// The largest force, torque and impulse.
static const float FROST_BOX_MAX_FORCE = 1e14F;

/// The smallest side of a body.
static const float FROST_BOX_MIN_SIDE = 0.001F;

/// A world with bodies and joints. The caller owns it and must destroy it.
typedef struct frost_box_world frost_box_world;

/// Creates an empty world without gravity. Returns NULL if memory runs out.
frost_box_world *_Nullable frost_box_world_create(void);

/// Destroys a world with all of its bodies and joints.
void frost_box_world_destroy(frost_box_world *_Nullable world);

/// Advances the world by one step of `seconds`, which must be within 0.0001 to 0.1. The forces that were applied since
/// the last step act during the whole step.
frost_box_status frost_box_world_step(frost_box_world *world, float seconds);

/// Returns whether any body moves. Box2D lets bodies sleep that have been slow for half a second.
bool frost_box_world_is_awake(const frost_box_world *world);

/// Wakes all bodies.
void frost_box_world_wake(frost_box_world *world);

// MARK: Contacts

/// A change of the contact between two bodies, during the last step or the calls before it.
typedef struct frost_box_event {
    /// True if a contact began, false if it ended.
    bool began;
    int32_t body_a, body_b;
    /// One point of contact in metres, if the contact began.
    float x, y;
} frost_box_event;

/// Returns the number of contact events since the events were last cleared.
size_t frost_box_world_event_count(const frost_box_world *world);

/// Copies an event. Returns FROST_BOX_INVALID if `index` is not below the number of events.
frost_box_status frost_box_world_event(const frost_box_world *world, size_t index, frost_box_event *event);

/// Removes all contact events.
void frost_box_world_clear_events(frost_box_world *world);

// MARK: Bodies

/// The position and motion of a body.
typedef struct frost_box_state {
    float x, y, angle;
    float velocity_x, velocity_y, angular_velocity;
    bool is_awake;
    /// The body went beyond FROST_BOX_MAX_COORDINATE and is not simulated until it gets a new position.
    bool is_lost;
} frost_box_state;

/// How a body reacts to forces and contacts. All numbers are 0 or more.
typedef struct frost_box_material {
    /// At least 0.001.
    float density;
    float friction;
    /// 0 to 1.
    float elasticity;
    float resistance, angular_resistance;
    bool allows_rotation;
    bool is_anchored;
} frost_box_material;

/// Creates a rectangular body with its centre at (x, y). Returns its number, or a negative status.
int32_t frost_box_body_create(frost_box_world *world, float x, float y, float angle, float width, float height);

/// Creates a body without shape that never moves by itself, to attach joints to. Returns its number, or a negative
/// status.
int32_t frost_box_anchor_create(frost_box_world *world, float x, float y);

/// Creates a body that never moves, of one edge for each pair of successive points. `coordinates` has 2 * `count`
/// numbers: x and y of each point. It needs at least 2 points; points less than 0.0001 from their predecessor are left
/// out. Bodies collide with the boundary if they have `group` as a boundary group. Returns its number, or a negative
/// status.
int32_t frost_box_boundary_create(
    frost_box_world *world, const float *coordinates, size_t count, uint32_t group);

/// Destroys a body of any kind and the joints that are attached to it.
frost_box_status frost_box_body_destroy(frost_box_world *world, int32_t body);

frost_box_status frost_box_body_state(const frost_box_world *world, int32_t body, frost_box_state *state);

/// Moves a body of any kind. It keeps its velocity.
frost_box_status frost_box_body_move(frost_box_world *world, int32_t body, float x, float y, float angle);

/// Changes the size of a rectangular body. It keeps its position and velocity.
frost_box_status frost_box_body_resize(frost_box_world *world, int32_t body, float width, float height);

frost_box_status frost_box_body_set_material(
    frost_box_world *world, int32_t body, const frost_box_material *material);

/// Sets with what a rectangular body collides: with bodies that share one of its item groups, and with boundaries of
/// its boundary groups. Both lists are in ascending order.
frost_box_status frost_box_body_set_groups(
    frost_box_world *world, int32_t body, const uint32_t *_Nullable item_groups, size_t item_group_count,
    const uint32_t *_Nullable boundary_groups, size_t boundary_group_count);

frost_box_status frost_box_body_add_velocity(
    frost_box_world *world, int32_t body, float x, float y, float angular);

/// Applies a force at the centre and a torque during the next step. Bodies that sleep ignore it.
frost_box_status frost_box_body_apply_force(frost_box_world *world, int32_t body, float x, float y, float torque);

/// Changes the velocity of a body by an impulse at its centre and an angular impulse, and wakes the body.
frost_box_status frost_box_body_apply_impulse(
    frost_box_world *world, int32_t body, float x, float y, float angular);

/// Accelerates a body like a damped spring that pulls its centre to (x, y) and its angle to the nearest full turn.
/// After each step of `seconds` the body is where the spring has it at that time, for every frequency. The damping ratio is 0 to 1,
/// 1 for critical damping. Bodies that sleep ignore it.
frost_box_status frost_box_body_pull(
    frost_box_world *world, int32_t body, float x, float y, float frequency, float damping_ratio, float seconds);

/// Returns the mass of a body; 0 for a body that never moves.
float frost_box_body_mass(const frost_box_world *world, int32_t body);

// MARK: Joints

typedef enum frost_box_joint_kind {
    /// Keeps the anchors at a distance, rigidly, or like a spring if the frequency is above 0.
    FROST_BOX_DISTANCE = 0,
    /// Keeps the anchors within a distance.
    FROST_BOX_ROPE,
    /// Keeps the anchors at the same point.
    FROST_BOX_PIN,
    /// Keeps the anchors at the same point and the bodies at the same relative angle.
    FROST_BOX_FIXED,
    /// Lets body B slide along an axis of body A without turning.
    FROST_BOX_SLIDING,
} frost_box_joint_kind;

typedef struct frost_box_joint {
    frost_box_joint_kind kind;
    int32_t body_a, body_b;
    /// The anchors, in the axes of each body, from its centre.
    float anchor_a_x, anchor_a_y, anchor_b_x, anchor_b_y;
    /// The angle of body B minus that of body A which counts as 0. For pins, fixed and sliding joints.
    float reference_angle;
    /// For distances and ropes.
    float length;
    /// In Hz, and the ratio to critical damping. For distances.
    float frequency, damping_ratio;
    /// The axis of a sliding joint in the axes of body A. Its length is 1.
    float axis_x, axis_y;
    /// The range of the angle of a pin, or of the position along the axis of a sliding joint.
    bool has_range;
    float lower, upper;
    /// The torque of friction in a pin, and the force of friction in a sliding joint.
    float friction;
} frost_box_joint;

/// Creates a joint between two bodies. The bodies still collide with each other if their groups say so. Returns its
/// number, or a negative status.
int32_t frost_box_joint_create(frost_box_world *world, const frost_box_joint *joint);

/// Destroys a joint. A joint whose body was destroyed is destroyed already; its number is then invalid.
frost_box_status frost_box_joint_destroy(frost_box_world *world, int32_t joint);

#pragma clang assume_nonnull end

#ifdef __cplusplus
}
#endif
