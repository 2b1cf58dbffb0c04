import FrostCore

extension Animator {
    /// Advances time. Does nothing while the animator is paused.
    ///
    /// The animator collects the time and carries out as many steps of 1/120 s as have passed, so the result does not
    /// depend on the rate of the ticks. Then it writes the items' positions, calls the collision delegates for contacts
    /// that began, for those that ended, and the action blocks. A tick without a step does none of this. What callbacks
    /// change takes effect at the next tick.
    ///
    /// - Parameter seconds: the time since the last tick. More than 0.5 s counts as 1/60 s, so that an animation goes on
    ///   smoothly after a long interruption.
    /// - Throws: ``DynamicsError/parameter(_:)`` for negative and infinite times and NaN;
    ///   ``DynamicsError/tickInProgress`` within a callback; the error of a behaviour's value that has become invalid.
    ///   Nothing moves then.
    public func tick(_ seconds: Double) throws(DynamicsError) {
        guard !isTicking else { throw .tickInProgress }
        try DynamicsLimits.check(seconds, "tick's duration", in: 0...Double.greatestFiniteMagnitude)
        guard isRunning else { return }
        isTicking = true
        defer { endTick() }
        let time = fraction + (seconds > 0.5 ? 1.0 / 60 : seconds) / World.step
        // A tick of 1/60 s is two steps even if the sum of the fractions is slightly less.
        let steps = (time + 1e-6).rounded(.down)
        guard steps > 0 else {
            fraction = time
            return
        }
        try synchronize()
        fraction = time - steps
        try advance(steps: Int(steps))
        let isAwake = try writePositions()
        reportContacts()
        for behavior in active { behavior.action?() }
        isRunning = isAwake
    }

    private func advance(steps: Int) throws(DynamicsError) {
        for force in forces { try force.applyOnce(in: world) }
        for _ in 0..<steps {
            for force in forces { try force.applyForces(in: world) }
            try world.advance()
            contacts.note(world.takeEvents())
            stepCount += 1
        }
    }

    /// Writes the positions of the items that moved. Returns whether any still moves.
    private func writePositions() throws(DynamicsError) -> Bool {
        var isAnyAwake = false
        for body in bodies.list {
            let state = try world.state(of: body.number)
            if state.isAwake || body.wasAwake {
                body.item.center = state.center
                body.item.rotation = state.rotation
            }
            body.wasAwake = state.isAwake
            isAnyAwake = isAnyAwake || state.isAwake
        }
        return isAnyAwake
    }

    /// Ends a tick: pauses if all items rest and nothing was changed meanwhile.
    private func endTick() {
        isTicking = false
        if isWakeRequested {
            isWakeRequested = false
            isRunning = true
        } else if !isRunning {
            fraction = 0
            delegate?.animatorDidPause(self)
        }
    }
}
