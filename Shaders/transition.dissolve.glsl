#if TRANSITION == TRANSITION_DISSOLVE
// The kind dissolve. Numbers: the share of the target.
Drawn drawn(ivec2 pixel) { return mixture(1.0 - number(0)); }
#endif
