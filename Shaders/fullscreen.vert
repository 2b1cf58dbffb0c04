// Draws one triangle that covers the whole target. The shader needs no vertex buffer. Two triangles would have a
// diagonal seam, but one triangle has none.
void main() {
    vec2 corner = vec2((gl_VertexID << 1) & 2, gl_VertexID & 2);
    gl_Position = vec4(corner * 2.0 - 1.0, 0.0, 1.0);
}
