import Frost

/// The page at "/".
enum ServicePage {
    static let response: Response = {
        var response = Response(200, "text/html; charset=utf-8", text)
        response.headers.append(Header("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'"))
        return response
    }()

    private static let text = """
        <!DOCTYPE html>
        <html lang="en">
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width">
        <title>Frost</title>
        <style>:root { color-scheme: light dark } body { font-family: sans-serif; max-width: 40em; margin: 2em auto }</style>
        <h1>Frost \(frostVersion)</h1>
        <p>This server blurs pictures:
        <pre>curl --data-binary @photo.jpg -o soft.jpg 'http://127.0.0.1:8080/blur?sigma=8'</pre>
        </html>

        """
}
