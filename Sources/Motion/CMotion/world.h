// The parts of a world that both source files use.
#pragma once

#include "CBox2D.h"
#include "packages.h"

#include <box2d/box2d.h>
#include <memory>
#include <vector>

enum class BodyKind { item, boundary, anchor };

/// The exact step of a damped spring: a velocity v and a displacement x become the velocity kept * v - pulled / seconds * x.
struct SpringStep {
    double kept, pulled;
};

/// Returns the step of x'' = -omega^2 x - 2 damping_ratio omega x'. `turned` is omega times the seconds of a step.
SpringStep spring_step(double turned, double damping_ratio);

/// What the shim knows about a body. Box2D's user data points to it.
struct Body {
    BodyKind kind;
    int32_t number;
    b2Body *body = nullptr;
    float width = 0, height = 0;
    frost_box_material material = {1, 0.2F, 0.2F, 0, 0, true, false};
    /// The group of a boundary.
    uint32_t group = 0;
    std::vector<uint32_t> item_groups, boundary_groups;
    b2Vec2 force = b2Vec2(0, 0);
    float torque = 0;
    /// The magnitude of the acceleration during the running step.
    float acceleration = 0;
    /// The last position within the limits.
    b2Vec2 last_position = b2Vec2(0, 0);
    float last_angle = 0;
    bool is_lost = false;
};

/// What the shim knows about a joint.
struct Joint {
    b2Joint *joint = nullptr;
    /// The joint if it is a spring, with the spring's frequency and damping ratio.
    b2DistanceJoint *spring = nullptr;
    float frequency = 0, damping_ratio = 0;
};

/// Gives Box2D the stiffness and damping of a spring for the next step.
void update_spring(const Joint &joint, float seconds);

/// Hears from Box2D during a step, and decides which bodies collide.
struct Listener final : b2ContactListener, b2ContactFilter {
    std::vector<frost_box_event> events;
    bool lost_event = false;
    float seconds = 0;

    void BeginContact(b2Contact *contact) override;
    void EndContact(b2Contact *contact) override;
    void PreSolve(b2Contact *contact, const b2Manifold *old) override;
    void PostSolve(b2Contact *contact, const b2ContactImpulse *impulse) override;
    bool ShouldCollide(b2Fixture *a, b2Fixture *b) override;
    void append(bool began, b2Contact *contact) noexcept;
};

struct frost_box_world {
    Listener listener;
    // Numbers are indices into these lists. Destroyed entries are null, and their numbers are in the lists of free
    // numbers.
    std::vector<std::unique_ptr<Body>> bodies;
    std::vector<Joint> joints;
    std::vector<int32_t> free_bodies, free_joints;
    // The last member, because its destructor calls the listener.
    b2World world{b2Vec2(0, 0)};
};

inline Body *body_of(b2Fixture *fixture) {
    return reinterpret_cast<Body *>(fixture->GetBody()->GetUserData().pointer);
}

/// Whether a number is within -limit to limit. NaN is not.
inline bool is_within(float value, float limit) { return value >= -limit && value <= limit; }

/// Whether a number is within 0 to limit. NaN is not.
inline bool is_up_to(float value, float limit) { return value >= 0 && value <= limit; }

/// Returns a body by its number, or null.
inline Body *find_body(const frost_box_world *world, int32_t number) {
    if (number < 0 || (size_t)number >= world->bodies.size()) return nullptr;
    return world->bodies[(size_t)number].get();
}
