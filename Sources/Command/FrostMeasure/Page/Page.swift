/// A self-contained HTML page.
///
/// All names on it are escaped, and the text direction of a name does not affect the text around it. A content security
/// policy prevents the page from loading anything.
enum Page {
    /// - Parameters:
    ///   - style: rules for the content, in addition to the style of all pages.
    ///   - body: the content as HTML.
    static func document(title: String, style: String, body: String) -> String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src \
        'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>\(title)</title>
        <style>
        \(self.style)
        \(style)
        </style>
        </head>
        <body>
        \(body)
        </body>
        </html>

        """
    }

    /// Returns the HTML of a name that does not come from Frost, such as a file name. The name may contain any
    /// character, and its text may run from right to left.
    static func name(_ text: String) -> String {
        let text = Markup.escaped(text)
        return "<bdi title=\"\(text)\">\(text)</bdi>"
    }

    /// The style of all pages. Variables name colours by their use. The light and the dark palette both give text a
    /// contrast of at least 4.5:1.
    private static let style = """
        :root {
          color-scheme: light dark;
          --ground: #f5f6f8; --card: #ffffff; --ink: #1b1f24; --muted: #59626e; --line: #dde1e6;
          --sunk: #eef0f3; --accent: #1d5fc4; --ok: #14713f; --bad: #b3261e;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --ground: #101317; --card: #181c22; --ink: #e6e9ed; --muted: #9aa5b1; --line: #2b323b;
            --sunk: #12161a; --accent: #79a8ff; --ok: #55c98d; --bad: #ff8a80;
          }
        }
        * { box-sizing: border-box; }
        body {
          margin: 0 auto; max-width: 1168px; padding: 0 24px 64px; background: var(--ground); color: var(--ink);
          font: 15px/1.5 system-ui, "Segoe UI", Roboto, "Helvetica Neue", "Liberation Sans", "DejaVu Sans", sans-serif;
          font-variant-numeric: tabular-nums;
        }
        h1, h2, h3, h4, p, figure, dl, dd { margin: 0; }
        h1 { font-size: 27px; line-height: 1.25; letter-spacing: -0.015em; margin: 4px 0 8px; text-wrap: balance; }
        h2 { font-size: 19px; letter-spacing: -0.01em; margin: 44px 0 4px; }
        h3 { font-size: 16px; display: inline; }
        h4 { font-size: 14px; margin-bottom: 10px; }
        bdi { overflow-wrap: anywhere; }
        a { color: var(--accent); text-underline-offset: 3px; }
        i { font-style: normal; color: var(--muted); padding: 0 2px; }
        :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
        .muted { color: var(--muted); }
        header { margin-top: 40px; padding-left: 20px; border-left: 4px solid var(--ok); }
        header.bad { border-color: var(--bad); }
        .brand { color: var(--muted); font-weight: 600; font-size: 13px; letter-spacing: 0.02em; }
        figcaption { color: var(--muted); font-size: 13px; margin-top: 6px; line-height: 1.4; }
        @media (max-width: 460px) { h1 { font-size: 22px; } }
        """
}
