#include "world.h"

#include <algorithm>
#include <cmath>
#include <new>

// Box2D's shapes have a radius around them. Two shapes rest at a distance between the sum of their radii and
// b2_linearSlop less. A body's polygon is smaller than the body by INSET on each side, so that the range begins where
// the bodies touch: at the distance 2 * b2_polygonRadius - b2_linearSlop = 2 * INSET of two polygons, and at
// b2_polygonRadius + EDGE_RADIUS - b2_linearSlop = INSET of a polygon and an edge. With a thinner edge, high stacks
// take several times as long to rest.
static const float INSET = b2_polygonRadius - b2_linearSlop / 2;
static const float EDGE_RADIUS = b2_linearSlop / 2;

/// The smallest moment of inertia. Joints divide by products of its inverse and squared distances, which would overflow
/// for smaller ones. Only bodies of a few points have smaller ones.
static const float MIN_INERTIA = 1e-8F;

/// The smallest distance of two points of a boundary.
static const float MIN_EDGE = 0.0001F;

static bool is_size(float width, float height) {
    return width >= FROST_BOX_MIN_SIDE && width <= FROST_BOX_MAX_SIDE && height >= FROST_BOX_MIN_SIDE
        && height <= FROST_BOX_MAX_SIDE;
}

static bool is_placement(float x, float y, float angle) {
    return is_within(x, FROST_BOX_MAX_COORDINATE) && is_within(y, FROST_BOX_MAX_COORDINATE)
        && is_within(angle, FROST_BOX_MAX_VELOCITY);
}

/// Adds a body without shape to the world and returns it.
static Body &add_body(frost_box_world *world, BodyKind kind, float x, float y, float angle) {
    auto body = std::make_unique<Body>();
    body->kind = kind;
    int32_t number;
    if (world->free_bodies.empty()) {
        number = (int32_t)world->bodies.size();
        // Destroying a body must not need memory, so the list of free numbers has room for all.
        world->free_bodies.reserve(world->bodies.size() + 1);
        world->bodies.emplace_back();
    } else {
        number = world->free_bodies.back();
        world->free_bodies.pop_back();
    }
    body->number = number;
    body->last_position.Set(x, y);
    body->last_angle = angle;
    b2BodyDef definition;
    definition.type = kind == BodyKind::item ? b2_dynamicBody : b2_staticBody;
    definition.position.Set(x, y);
    definition.angle = angle;
    definition.userData.pointer = reinterpret_cast<uintptr_t>(body.get());
    body->body = world->world.CreateBody(&definition);
    auto &slot = world->bodies[(size_t)number];
    slot = std::move(body);
    return *slot;
}

/// Sets mass and inertia from the size and density. Call it after every change that makes Box2D recompute them.
static void update_mass(Body &body) {
    b2MassData mass;
    mass.mass = body.material.density * body.width * body.height;
    mass.center.SetZero();
    mass.I = std::max(
        mass.mass * (body.width * body.width + body.height * body.height) / 12, MIN_INERTIA);
    body.body->SetMassData(&mass);
}

/// Replaces the shape of a body by a rectangle of its size.
static void update_shape(Body &body) {
    if (b2Fixture *fixture = body.body->GetFixtureList()) body.body->DestroyFixture(fixture);
    const float half_width = body.width / 2, half_height = body.height / 2;
    b2PolygonShape shape;
    shape.SetAsBox(
        half_width - std::min(INSET, half_width / 2), half_height - std::min(INSET, half_height / 2));
    b2FixtureDef definition;
    definition.shape = &shape;
    definition.friction = body.material.friction;
    definition.restitution = body.material.elasticity;
    body.body->CreateFixture(&definition);
    update_mass(body);
}

// MARK: Creating and destroying

int32_t frost_box_body_create(frost_box_world *world, float x, float y, float angle, float width, float height) {
    if (!is_placement(x, y, angle) || !is_size(width, height)) return FROST_BOX_INVALID;
    try {
        Body &body = add_body(world, BodyKind::item, x, y, angle);
        body.width = width;
        body.height = height;
        update_shape(body);
        return body.number;
    } catch (...) {
        return FROST_BOX_NO_MEMORY;
    }
}

int32_t frost_box_anchor_create(frost_box_world *world, float x, float y) {
    if (!is_placement(x, y, 0)) return FROST_BOX_INVALID;
    try {
        return add_body(world, BodyKind::anchor, x, y, 0).number;
    } catch (...) {
        return FROST_BOX_NO_MEMORY;
    }
}

int32_t frost_box_boundary_create(
    frost_box_world *world, const float *coordinates, size_t count, uint32_t group) {
    try {
        std::vector<b2Vec2> points;
        for (size_t i = 0; i < count; ++i) {
            const b2Vec2 point(coordinates[2 * i], coordinates[2 * i + 1]);
            if (!is_placement(point.x, point.y, 0)) return FROST_BOX_INVALID;
            if (points.empty() || b2Distance(points.back(), point) >= MIN_EDGE) points.push_back(point);
        }
        if (points.size() < 2) return FROST_BOX_INVALID;
        Body &body = add_body(world, BodyKind::boundary, 0, 0, 0);
        body.group = group;
        for (size_t i = 1; i < points.size(); ++i) {
            b2EdgeShape shape;
            shape.SetTwoSided(points[i - 1], points[i]);
            shape.m_radius = EDGE_RADIUS;
            b2FixtureDef definition;
            definition.shape = &shape;
            definition.friction = body.material.friction;
            // The greater elasticity counts, so that of the item does.
            definition.restitution = 0;
            body.body->CreateFixture(&definition);
        }
        return body.number;
    } catch (...) {
        return FROST_BOX_NO_MEMORY;
    }
}

frost_box_status frost_box_body_destroy(frost_box_world *world, int32_t number) {
    Body *body = find_body(world, number);
    if (!body) return FROST_BOX_INVALID;
    for (b2JointEdge *edge = body->body->GetJointList(); edge; edge = edge->next) {
        const auto joint = (int32_t)edge->joint->GetUserData().pointer;
        world->joints[(size_t)joint] = {};
        world->free_joints.push_back(joint);
    }
    world->world.DestroyBody(body->body);
    world->bodies[(size_t)number].reset();
    world->free_bodies.push_back(number);
    return FROST_BOX_OK;
}

// MARK: State

frost_box_status frost_box_body_state(const frost_box_world *world, int32_t number, frost_box_state *state) {
    const Body *body = find_body(world, number);
    if (!body) return FROST_BOX_INVALID;
    const b2Vec2 position = body->body->GetPosition(), velocity = body->body->GetLinearVelocity();
    state->x = position.x;
    state->y = position.y;
    state->angle = body->body->GetAngle();
    state->velocity_x = velocity.x;
    state->velocity_y = velocity.y;
    state->angular_velocity = body->body->GetAngularVelocity();
    state->is_awake = body->body->GetType() == b2_dynamicBody && body->body->IsEnabled() && body->body->IsAwake();
    state->is_lost = body->is_lost;
    return FROST_BOX_OK;
}

float frost_box_body_mass(const frost_box_world *world, int32_t number) {
    const Body *body = find_body(world, number);
    return body ? body->body->GetMass() : 0;
}

frost_box_status frost_box_body_move(frost_box_world *world, int32_t number, float x, float y, float angle) {
    Body *body = find_body(world, number);
    if (!body || !is_placement(x, y, angle)) return FROST_BOX_INVALID;
    body->body->SetTransform(b2Vec2(x, y), angle);
    body->last_position.Set(x, y);
    body->last_angle = angle;
    if (body->is_lost) {
        body->is_lost = false;
        body->body->SetEnabled(true);
    }
    body->body->SetAwake(true);
    return FROST_BOX_OK;
}

frost_box_status frost_box_body_resize(frost_box_world *world, int32_t number, float width, float height) {
    Body *body = find_body(world, number);
    if (!body || body->kind != BodyKind::item || !is_size(width, height)) return FROST_BOX_INVALID;
    body->width = width;
    body->height = height;
    update_shape(*body);
    body->body->SetAwake(true);
    return FROST_BOX_OK;
}

frost_box_status frost_box_body_set_material(
    frost_box_world *world, int32_t number, const frost_box_material *material) {
    Body *body = find_body(world, number);
    if (!body || body->kind != BodyKind::item) return FROST_BOX_INVALID;
    if (!(material->density >= 0.001F && material->density <= 1000) || !is_up_to(material->friction, 1000)
        || !is_up_to(material->elasticity, 1) || !is_up_to(material->resistance, 1e6F)
        || !is_up_to(material->angular_resistance, 1e6F)) {
        return FROST_BOX_INVALID;
    }
    body->material = *material;
    body->body->SetType(material->is_anchored ? b2_staticBody : b2_dynamicBody);
    body->body->SetFixedRotation(!material->allows_rotation);
    body->body->SetLinearDamping(material->resistance);
    body->body->SetAngularDamping(material->angular_resistance);
    for (b2Fixture *fixture = body->body->GetFixtureList(); fixture; fixture = fixture->GetNext()) {
        fixture->SetFriction(material->friction);
        fixture->SetRestitution(material->elasticity);
    }
    update_mass(*body);
    return FROST_BOX_OK;
}

frost_box_status frost_box_body_set_groups(
    frost_box_world *world, int32_t number, const uint32_t *item_groups, size_t item_group_count,
    const uint32_t *boundary_groups, size_t boundary_group_count) {
    Body *body = find_body(world, number);
    if (!body || body->kind != BodyKind::item) return FROST_BOX_INVALID;
    try {
        std::vector<uint32_t> items, boundaries;
        if (item_groups) items.assign(item_groups, item_groups + item_group_count);
        if (boundary_groups) boundaries.assign(boundary_groups, boundary_groups + boundary_group_count);
        body->item_groups.swap(items);
        body->boundary_groups.swap(boundaries);
        for (b2Fixture *fixture = body->body->GetFixtureList(); fixture; fixture = fixture->GetNext()) {
            fixture->Refilter();
        }
        return FROST_BOX_OK;
    } catch (...) {
        return FROST_BOX_NO_MEMORY;
    }
}

// MARK: Forces

/// Sets a velocity, limited to the largest one.
static void set_velocity(b2Body *body, b2Vec2 linear, float angular) {
    // hypot does not overflow where the sum of the squares would.
    const float speed = std::hypot(linear.x, linear.y);
    if (speed > FROST_BOX_MAX_VELOCITY) linear *= FROST_BOX_MAX_VELOCITY / speed;
    body->SetLinearVelocity(linear);
    const float limit = FROST_BOX_MAX_VELOCITY;
    if (!body->IsFixedRotation()) body->SetAngularVelocity(std::min(std::max(angular, -limit), limit));
}

frost_box_status frost_box_body_add_velocity(
    frost_box_world *world, int32_t number, float x, float y, float angular) {
    Body *body = find_body(world, number);
    if (!body || !is_within(x, FROST_BOX_MAX_VELOCITY) || !is_within(y, FROST_BOX_MAX_VELOCITY)
        || !is_within(angular, FROST_BOX_MAX_VELOCITY)) {
        return FROST_BOX_INVALID;
    }
    if (body->body->GetType() != b2_dynamicBody) return FROST_BOX_OK;
    body->body->SetAwake(true);
    set_velocity(
        body->body, body->body->GetLinearVelocity() + b2Vec2(x, y), body->body->GetAngularVelocity() + angular);
    return FROST_BOX_OK;
}

frost_box_status frost_box_body_apply_force(frost_box_world *world, int32_t number, float x, float y, float torque) {
    Body *body = find_body(world, number);
    if (!body || !is_within(x, FROST_BOX_MAX_FORCE) || !is_within(y, FROST_BOX_MAX_FORCE)
        || !is_within(torque, FROST_BOX_MAX_FORCE)) {
        return FROST_BOX_INVALID;
    }
    body->force += b2Vec2(x, y);
    body->torque += torque;
    return FROST_BOX_OK;
}

frost_box_status frost_box_body_apply_impulse(
    frost_box_world *world, int32_t number, float x, float y, float angular) {
    Body *body = find_body(world, number);
    if (!body || !is_within(x, FROST_BOX_MAX_FORCE) || !is_within(y, FROST_BOX_MAX_FORCE)
        || !is_within(angular, FROST_BOX_MAX_FORCE)) {
        return FROST_BOX_INVALID;
    }
    if (body->body->GetType() != b2_dynamicBody) return FROST_BOX_OK;
    const float mass = body->body->GetMass(), inertia = body->body->GetInertia();
    body->body->SetAwake(true);
    set_velocity(
        body->body, body->body->GetLinearVelocity() + (1 / mass) * b2Vec2(x, y),
        body->body->GetAngularVelocity() + (inertia > 0 ? angular / inertia : 0));
    return FROST_BOX_OK;
}

frost_box_status frost_box_body_pull(
    frost_box_world *world, int32_t number, float x, float y, float frequency, float damping_ratio, float seconds) {
    Body *body = find_body(world, number);
    if (!body || !is_placement(x, y, 0) || !is_up_to(frequency, 1000) || !is_up_to(damping_ratio, 1)
        || !(seconds >= 0.0001F && seconds <= 0.1F)) {
        return FROST_BOX_INVALID;
    }
    if (body->body->GetType() != b2_dynamicBody || !body->body->IsAwake()) return FROST_BOX_OK;
    const SpringStep step = spring_step(2 * b2_pi * frequency * seconds, damping_ratio);
    const float remaining = (float)step.kept, stiffness = (float)(step.pulled / seconds);
    const b2Vec2 displacement = body->body->GetPosition() - b2Vec2(x, y);
    const float turn = std::remainder(body->body->GetAngle(), 2 * b2_pi);
    const b2Vec2 velocity = body->body->GetLinearVelocity();
    const float spin = body->body->GetAngularVelocity();
    // Forces instead of velocities, because Box2D wakes a body whose velocity is set, and it would never rest.
    const float mass = body->body->GetMass() / seconds, inertia = body->body->GetInertia() / seconds;
    body->force += mass * (remaining * velocity - stiffness * displacement - velocity);
    body->torque += inertia * (remaining * spin - stiffness * turn - spin);
    return FROST_BOX_OK;
}
