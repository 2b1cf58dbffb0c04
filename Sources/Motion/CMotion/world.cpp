#include "world.h"

#include <algorithm>
#include <cmath>
#include <new>

// MARK: Contacts

void Listener::append(bool began, b2Contact *contact) noexcept {
    frost_box_event event = {};
    event.began = began;
    event.body_a = body_of(contact->GetFixtureA())->number;
    event.body_b = body_of(contact->GetFixtureB())->number;
    if (began) {
        b2WorldManifold manifold;
        contact->GetWorldManifold(&manifold);
        const int32 count = std::max(contact->GetManifold()->pointCount, 1);
        for (int32 i = 0; i < count; ++i) {
            event.x += manifold.points[i].x / (float)count;
            event.y += manifold.points[i].y / (float)count;
        }
    }
    try {
        events.push_back(event);
    } catch (...) {
        lost_event = true;
    }
}

void Listener::BeginContact(b2Contact *contact) { append(true, contact); }

void Listener::EndContact(b2Contact *contact) { append(false, contact); }

void Listener::PreSolve(b2Contact *contact, const b2Manifold *) {
    // Box2D mixes the materials when a contact is created. They may have changed since.
    contact->ResetFriction();
    contact->ResetRestitution();
    // A body that rests has the velocity of one step of acceleration when Box2D solves its contacts. It would bounce
    // for ever if this velocity were above the threshold. Box2D's own threshold, 1 m/s, stops slow bodies that should
    // bounce.
    const float acceleration =
        std::max(body_of(contact->GetFixtureA())->acceleration, body_of(contact->GetFixtureB())->acceleration);
    contact->SetRestitutionThreshold(std::max(0.2F, 2.5F * acceleration * seconds));
}

/// Whether a body moves in a step by at most a quarter of its shorter side, so that it cannot pass through an edge that
/// it touches.
static bool is_slow(const Body &body, float seconds) {
    if (body.kind != BodyKind::item) return true;
    const float way = seconds * body.body->GetLinearVelocity().Length();
    return way <= 0.25F * std::min(body.width, body.height);
}

void Listener::PostSolve(b2Contact *contact, const b2ContactImpulse *) {
    // After this call, Box2D looks for bodies that pass through others within the step, and for each one it goes through
    // all contacts again: in a pile of 10,000 items this takes seconds. Contacts that were just solved and are slow need
    // no such check. Box2D enables them again in the next step.
    if (is_slow(*body_of(contact->GetFixtureA()), seconds) && is_slow(*body_of(contact->GetFixtureB()), seconds)) {
        contact->SetEnabled(false);
    }
}

static bool contains(const std::vector<uint32_t> &groups, uint32_t group) {
    return std::binary_search(groups.begin(), groups.end(), group);
}

bool Listener::ShouldCollide(b2Fixture *fixture_a, b2Fixture *fixture_b) {
    const Body *a = body_of(fixture_a), *b = body_of(fixture_b);
    if (a->kind == BodyKind::boundary) return contains(b->boundary_groups, a->group);
    if (b->kind == BodyKind::boundary) return contains(a->boundary_groups, b->group);
    if (a->item_groups.size() > b->item_groups.size()) std::swap(a, b);
    for (uint32_t group : a->item_groups) {
        if (contains(b->item_groups, group)) return true;
    }
    return false;
}

size_t frost_box_world_event_count(const frost_box_world *world) { return world->listener.events.size(); }

frost_box_status frost_box_world_event(const frost_box_world *world, size_t index, frost_box_event *event) {
    if (index >= world->listener.events.size()) return FROST_BOX_INVALID;
    *event = world->listener.events[index];
    return FROST_BOX_OK;
}

void frost_box_world_clear_events(frost_box_world *world) { world->listener.events.clear(); }

// MARK: The world

/// Creates the first contact of the process. Box2D then fills a table that all worlds share, without a lock.
static bool create_first_contact() {
    auto world = std::make_unique<b2World>(b2Vec2(0, 0));
    b2PolygonShape shape;
    shape.SetAsBox(1, 1);
    for (int i = 0; i < 2; ++i) {
        b2BodyDef definition;
        definition.type = b2_dynamicBody;
        world->CreateBody(&definition)->CreateFixture(&shape, 1);
    }
    world->Step(0.01F, 1, 1);
    return true;
}

frost_box_world *frost_box_world_create(void) {
    try {
        // C++ lets one thread initialise a static variable while the others wait.
        static const bool is_ready = create_first_contact();
        (void)is_ready;
        auto world = std::make_unique<frost_box_world>();
        world->world.SetContactListener(&world->listener);
        world->world.SetContactFilter(&world->listener);
        return world.release();
    } catch (...) {
        return nullptr;
    }
}

void frost_box_world_destroy(frost_box_world *world) { delete world; }

bool frost_box_world_is_awake(const frost_box_world *world) {
    for (const auto &body : world->bodies) {
        if (body && body->body->GetType() == b2_dynamicBody && body->body->IsEnabled() && body->body->IsAwake()) {
            return true;
        }
    }
    return false;
}

void frost_box_world_wake(frost_box_world *world) {
    for (const auto &body : world->bodies) {
        if (body && body->body->GetType() == b2_dynamicBody) body->body->SetAwake(true);
    }
}

/// Gives Box2D the forces on a body. They are limited to those that reach the largest velocity in one step, because
/// larger numbers could overflow in Box2D's products. Box2D moves no body by more than 2 m in a step, so the limit has
/// no visible effect.
static void submit_forces(Body &body, float seconds) {
    const float mass = body.body->GetMass(), inertia = body.body->GetInertia();
    body.acceleration = 0;
    if (mass > 0 && body.body->IsAwake()) {
        const float change = std::hypot(body.force.x, body.force.y) * seconds / mass;
        const float scale = change > FROST_BOX_MAX_VELOCITY ? FROST_BOX_MAX_VELOCITY / change : 1;
        body.body->ApplyForceToCenter(scale * body.force, false);
        body.acceleration = scale * change / seconds;
        if (inertia > 0) {
            const float limit = FROST_BOX_MAX_VELOCITY * inertia / seconds;
            body.body->ApplyTorque(std::min(std::max(body.torque, -limit), limit), false);
        }
    }
    body.force.SetZero();
    body.torque = 0;
}

/// Stops the simulation of a body that went beyond the limits of coordinates. Numbers that are not finite count as such:
/// a joint of bodies with very different sizes can be too ill-conditioned for 32 bits. Box2D then writes them even into
/// bodies that never move; those are put back.
static void check_position(Body &body) {
    if (body.is_lost) return;
    const b2Vec2 position = body.body->GetPosition();
    const float angle = body.body->GetAngle();
    const b2Vec2 velocity = body.body->GetLinearVelocity();
    const float spin = body.body->GetAngularVelocity();
    if (is_within(position.x, FROST_BOX_MAX_COORDINATE) && is_within(position.y, FROST_BOX_MAX_COORDINATE)
        && std::isfinite(angle) && velocity.IsValid() && std::isfinite(spin)) {
        body.last_position = position;
        body.last_angle = angle;
        return;
    }
    body.body->SetLinearVelocity(b2Vec2(0, 0));
    body.body->SetAngularVelocity(0);
    body.body->SetTransform(body.last_position, body.last_angle);
    if (body.body->GetType() != b2_dynamicBody) return;
    body.body->SetEnabled(false);
    body.is_lost = true;
}

frost_box_status frost_box_world_step(frost_box_world *world, float seconds) {
    if (!(seconds >= 0.0001F && seconds <= 0.1F)) return FROST_BOX_INVALID;
    try {
        for (const auto &body : world->bodies) {
            if (body) submit_forces(*body, seconds);
        }
        for (const Joint &joint : world->joints) update_spring(joint, seconds);
        world->listener.seconds = seconds;
        // Box2D's manual suggests 8 and 3 iterations.
        world->world.Step(seconds, 8, 3);
        for (const auto &body : world->bodies) {
            if (body) check_position(*body);
        }
    } catch (...) {
        return FROST_BOX_NO_MEMORY;
    }
    const bool lost_event = world->listener.lost_event;
    world->listener.lost_event = false;
    return lost_event ? FROST_BOX_NO_MEMORY : FROST_BOX_OK;
}
