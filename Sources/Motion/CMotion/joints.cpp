#include "world.h"

#include <cmath>
#include <new>

/// The largest distance of an anchor from the centre of its body. Larger distances could overflow in Box2D's products.
static const float MAX_ANCHOR = 100;

/// The longest distance of a distance joint, and the longest way of a sliding joint.
static const float MAX_LENGTH = 4 * FROST_BOX_MAX_COORDINATE;

static bool is_valid(const frost_box_joint &joint) {
    return is_within(joint.anchor_a_x, MAX_ANCHOR) && is_within(joint.anchor_a_y, MAX_ANCHOR)
        && is_within(joint.anchor_b_x, MAX_ANCHOR) && is_within(joint.anchor_b_y, MAX_ANCHOR)
        && is_within(joint.reference_angle, 2 * FROST_BOX_MAX_VELOCITY) && is_up_to(joint.length, MAX_LENGTH)
        && is_up_to(joint.frequency, 1000) && is_up_to(joint.damping_ratio, 1000)
        && is_up_to(joint.friction, FROST_BOX_MAX_FORCE)
        && (joint.kind != FROST_BOX_SLIDING || std::fabs(std::hypot(joint.axis_x, joint.axis_y) - 1) < 0.001F)
        && (!joint.has_range
            || (is_within(joint.lower, MAX_LENGTH) && is_within(joint.upper, MAX_LENGTH)
                && joint.lower <= joint.upper));
}

/// Sets the members that all joints have, and creates the joint.
template <typename Definition>
static b2Joint *create(
    frost_box_world *world, Definition &definition, const frost_box_joint &joint, b2Body *a, b2Body *b,
    int32_t number) {
    definition.bodyA = a;
    definition.bodyB = b;
    definition.collideConnected = true;
    definition.userData.pointer = (uintptr_t)number;
    definition.localAnchorA.Set(joint.anchor_a_x, joint.anchor_a_y);
    definition.localAnchorB.Set(joint.anchor_b_x, joint.anchor_b_y);
    return world->world.CreateJoint(&definition);
}

static b2Joint *create_distance(
    frost_box_world *world, const frost_box_joint &joint, b2Body *a, b2Body *b, int32_t number) {
    b2DistanceJointDef definition;
    definition.length = definition.minLength = definition.maxLength = joint.length;
    if (joint.kind == FROST_BOX_ROPE) {
        definition.minLength = 0;
    } else if (joint.frequency > 0) {
        b2LinearStiffness(definition.stiffness, definition.damping, joint.frequency, joint.damping_ratio, a, b);
        definition.minLength = 0;
        definition.maxLength = MAX_LENGTH;
    }
    return create(world, definition, joint, a, b, number);
}

static b2Joint *create_pin(
    frost_box_world *world, const frost_box_joint &joint, b2Body *a, b2Body *b, int32_t number) {
    b2RevoluteJointDef definition;
    definition.referenceAngle = joint.reference_angle;
    definition.enableLimit = joint.has_range;
    definition.lowerAngle = joint.lower;
    definition.upperAngle = joint.upper;
    definition.enableMotor = joint.friction > 0;
    definition.maxMotorTorque = joint.friction;
    return create(world, definition, joint, a, b, number);
}

static b2Joint *create_sliding(
    frost_box_world *world, const frost_box_joint &joint, b2Body *a, b2Body *b, int32_t number) {
    b2PrismaticJointDef definition;
    definition.localAxisA.Set(joint.axis_x, joint.axis_y);
    definition.referenceAngle = joint.reference_angle;
    definition.enableLimit = joint.has_range;
    definition.lowerTranslation = joint.lower;
    definition.upperTranslation = joint.upper;
    definition.enableMotor = joint.friction > 0;
    definition.maxMotorForce = joint.friction;
    return create(world, definition, joint, a, b, number);
}

static b2Joint *create_of_kind(
    frost_box_world *world, const frost_box_joint &joint, b2Body *a, b2Body *b, int32_t number) {
    switch (joint.kind) {
    case FROST_BOX_DISTANCE:
        // A distance joint has no direction if its length is 0, so a pin takes its place.
        if (joint.length <= b2_linearSlop && joint.frequency == 0) {
            frost_box_joint pin = joint;
            pin.has_range = false;
            pin.friction = 0;
            return create_pin(world, pin, a, b, number);
        }
        return create_distance(world, joint, a, b, number);
    case FROST_BOX_ROPE: return create_distance(world, joint, a, b, number);
    case FROST_BOX_PIN: return create_pin(world, joint, a, b, number);
    case FROST_BOX_FIXED: {
        b2WeldJointDef definition;
        definition.referenceAngle = joint.reference_angle;
        return create(world, definition, joint, a, b, number);
    }
    case FROST_BOX_SLIDING: return create_sliding(world, joint, a, b, number);
    }
    return nullptr;
}

int32_t frost_box_joint_create(frost_box_world *world, const frost_box_joint *joint) {
    const Body *a = find_body(world, joint->body_a), *b = find_body(world, joint->body_b);
    if (!a || !b || a == b || !is_valid(*joint)) return FROST_BOX_INVALID;
    try {
        const bool is_new = world->free_joints.empty();
        const int32_t number = is_new ? (int32_t)world->joints.size() : world->free_joints.back();
        if (is_new) {
            // Destroying a joint must not need memory, so the list of free numbers has room for all.
            world->free_joints.reserve(world->joints.size() + 1);
            world->joints.push_back(nullptr);
            world->free_joints.push_back(number);
        }
        b2Joint *created = create_of_kind(world, *joint, a->body, b->body, number);
        if (!created) return FROST_BOX_INVALID;
        world->free_joints.pop_back();
        world->joints[(size_t)number] = created;
        return number;
    } catch (...) {
        return FROST_BOX_NO_MEMORY;
    }
}

frost_box_status frost_box_joint_destroy(frost_box_world *world, int32_t number) {
    if (number < 0 || (size_t)number >= world->joints.size() || !world->joints[(size_t)number]) {
        return FROST_BOX_INVALID;
    }
    world->world.DestroyJoint(world->joints[(size_t)number]);
    world->joints[(size_t)number] = nullptr;
    world->free_joints.push_back(number);
    return FROST_BOX_OK;
}
