#if TRANSITION == TRANSITION_DISINTEGRATE
// The kind disintegrate: see Disintegrate. It has no numbers; the layers hold the rest and the shadow of each pixel.
Drawn drawn(ivec2 pixel) {
    vec2 layers = texelFetch(layersImage, pixel - store.zw, 0).rg;
    Drawn d = mixture(layers.r);
    d.targetBrightness = 1.0 - layers.g;
    return d;
}
#endif
