#include "world.h"

#include <algorithm>
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
            world->joints.emplace_back();
            world->free_joints.push_back(number);
        }
        b2Joint *created = create_of_kind(world, *joint, a->body, b->body, number);
        if (!created) return FROST_BOX_INVALID;
        world->free_joints.pop_back();
        const bool is_spring = joint->kind == FROST_BOX_DISTANCE && joint->frequency > 0;
        world->joints[(size_t)number] = {
            created, is_spring ? static_cast<b2DistanceJoint *>(created) : nullptr, joint->frequency,
            joint->damping_ratio};
        return number;
    } catch (...) {
        return FROST_BOX_NO_MEMORY;
    }
}

frost_box_status frost_box_joint_destroy(frost_box_world *world, int32_t number) {
    if (number < 0 || (size_t)number >= world->joints.size() || !world->joints[(size_t)number].joint) {
        return FROST_BOX_INVALID;
    }
    world->world.DestroyJoint(world->joints[(size_t)number].joint);
    world->joints[(size_t)number] = {};
    world->free_joints.push_back(number);
    return FROST_BOX_OK;
}

// MARK: Springs

SpringStep spring_step(double turned, double damping_ratio) {
    // The places x1, x2, x3 at times that follow each other by a step obey x3 = (p + q) x2 - p q x1, where p and q are
    // e^(-(zeta +- sqrt(zeta^2 - 1)) omega h). A velocity is the change of the place in a step, so
    // v3 = p q v2 - (1 - p) (1 - q) / h x2, and the places are exact for any h.
    const double kept = std::exp(-2 * damping_ratio * turned);
    if (damping_ratio >= 1) {
        const double sum = damping_ratio + std::sqrt(damping_ratio * damping_ratio - 1);
        return {kept, std::expm1(-turned * sum) * std::expm1(-turned / sum)};
    }
    // p and q are conjugates. A step shows at most half a turn.
    const double amplitude = std::exp(-damping_ratio * turned);
    const double half = std::min(turned * std::sqrt(1 - damping_ratio * damping_ratio), (double)b2_pi) / 2;
    return {kept, (1 - amplitude) * (1 - amplitude) + 4 * amplitude * std::sin(half) * std::sin(half)};
}

/// Returns the exact step, limited to what stays stable if other joints hold the same body.
///
/// If n equal springs pull a body, they behave like one with pulled / kept and (1 - kept) / kept times n. It is stable if
/// n (pulled - 2 (1 - kept)) <= 4 kept. The limits are those for n = 16. They are exact for springs without damping of up to
/// 9.6 Hz at 120 steps per second, and for critical damping at any frequency.
static SpringStep stable_step(SpringStep step) {
    // The joint's softness is 1 / (1 / kept - 1) and must be finite. The lower limit is for heavy damping.
    const double pulled = std::min(step.pulled, 1.0);
    const double largest = std::min((2 - pulled) / (2 - 4.0 / 16), 1 - 4e-6);
    return {std::min(std::max(step.kept, 1e-6), largest), pulled};
}

void update_spring(const Joint &joint, float seconds) {
    if (!joint.spring) return;
    b2Body *a = joint.spring->GetBodyA(), *b = joint.spring->GetBodyB();
    const auto inverse = [](float value) { return value > 0 ? 1 / (double)value : 0; };
    const double central = inverse(a->GetMass()) + inverse(b->GetMass());
    if (!(central > 0)) return;
    // The direction of the force, and its levers.
    const b2Vec2 arm_a = a->GetWorldVector(joint.spring->GetLocalAnchorA());
    const b2Vec2 arm_b = b->GetWorldVector(joint.spring->GetLocalAnchorB());
    b2Vec2 direction = b->GetPosition() + arm_b - a->GetPosition() - arm_a;
    direction.Normalize();
    const double lever_a = b2Cross(arm_a, direction), lever_b = b2Cross(arm_b, direction);
    const double all =
        central + inverse(a->GetInertia()) * lever_a * lever_a + inverse(b->GetInertia()) * lever_b * lever_b;
    // The frequency is that of the masses alone. Levers make the points move more easily, so both numbers grow.
    const double growth = std::sqrt(all / central), mass = 1 / all;
    const SpringStep step =
        stable_step(spring_step(2 * b2_pi * joint.frequency * seconds * growth, joint.damping_ratio * growth));
    // Box2D's step is v3 = (v2 - h k / m x2) / (1 + h d / m + h^2 k / m).
    const double stiffness = mass * step.pulled / ((double)seconds * seconds * step.kept);
    joint.spring->SetStiffness((float)stiffness);
    joint.spring->SetDamping((float)(mass * (1 / step.kept - 1) / seconds - seconds * stiffness));
}
