import Frost

/// The animated picture beneath the panel: stripes and a bouncing ball.
struct Picture {
    let width: Int
    let height: Int

    /// The rectangle of the whole picture.
    var extent: Rect { Rect(x: 0, y: 0, width: width, height: height) }

    /// Returns the ball's bounding rectangle in a frame.
    func ball(_ frame: Int) -> Rect {
        let side = height / 5
        func bounce(_ place: Int, _ room: Int) -> Int {
            let phase = place % (2 * room)
            return phase < room ? phase : 2 * room - phase
        }
        return Rect(
            x: bounce(9 * frame, width - side), y: bounce(7 * frame + height / 3, height - side), width: side,
            height: side)
    }

    /// Draws one rectangle of the picture, as it looks in the given frame.
    func pixels(of part: Rect, _ frame: Int) throws -> PixelBuffer {
        let ball = ball(frame)
        let (x0, y0, radius) = (ball.x + ball.width / 2, ball.y + ball.height / 2, ball.width / 2)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(part.width * part.height * 4)
        for y in part.rows {
            for x in part.columns {
                let isBall = (x - x0) * (x - x0) + (y - y0) * (y - y0) < radius * radius
                let isStripe = (x + y) / 24 % 2 == 0
                let stripe = isStripe ? [40, 90, UInt8(90 + y * 160 / height), 255] : [235, 235, 225, 255]
                bytes += isBall ? [250, 200, 60, 255] : stripe
            }
        }
        return try PixelBuffer(
            layout: PixelLayout(width: part.width, height: part.height, format: PixelFormat(.rgba)), bytes: bytes)
    }
}
