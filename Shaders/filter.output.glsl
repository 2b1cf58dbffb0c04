// The output stages: colour stages, mask, content, clipping and dither, applied to the result of a plan's last draw in
// the order that OutputStages (FrostCore) defines. Swift appends this file to filter.glsl, the files of the draw, and filter.corners.glsl.
// filter.glsl then has no main() of its own. Swift prepends the constants STAGE_*, MASK_*, SETTLE_* and CORNER_*, the
// array sizes *_LIMIT, and switches, which are 0 or 1:
// - ORIGINAL: the original image is needed, for a mask or for clip rectangles.
// - CONTENT: content is drawn over the result.
// - CLIP_IMAGE: the part of each pixel within the clip rectangles is the alpha of the layer after the last one, and the part of
//   their shadow its red.
// - ORIGINAL_EDGES: the output may reach outside the original image, so that reading it needs the edge mode.
// - CURVES: clip rectangles may have corners that are not quarter circles.
// - EDGE: the edges of shapes are lit and shaded. Swift then places filter.shapes.glsl before this file.
//
// Software GL executes every branch of a shader, so the kinds of the stages are constants, too:
// - FIRST_STAGES(NEXT), INSIDE_STAGES(NEXT), OVER_STAGES(NEXT) and LAST_STAGES(NEXT) apply a macro NEXT to the index and the kind
//   (STAGE_*) of each colour stage: those that encode light, the others before and after the mask, and those after the light of
//   edges.
// - MASK is the kind of the mask, one of MASK_*. SETTLE is the way in which samples are rounded, one of SETTLE_*.
// - MIXES_BLUR is 1 if the mask mixes the colours with the blur, and not with the original.
// - MIXES, DITHER and STRAIGHT are 1 if the result is mixed with the original after all other stages (because of clip
//   rectangles or opacity), if it is dithered, and if the target's colour is straight.
//
// All numbers are data in uniforms: two effects with the same kinds of stages have the same program. Colours are
// premultiplied, and 1.0 is full scale. Positions are pixels relative to the output's first pixel, so the image may
// have any absolute position. The shader uses neither the device's bilinear filter nor asin(), because their precision
// differs between drivers.
#if OUTPUT_STAGES

layout(std140) uniform OutputStages {
    // dither.xy: absolute position of the output's first pixel, modulo 2^32. dither.z: seed of the dither.
    uvec4 dither;
    // counts.x: number of parts of a ramp. counts.y: number of colour stages and lights after the mask. counts.z: number of clip
    // rectangles, or -1 if nothing is clipped. counts.w: the part of pixels outside the clip's image, 0 or 1.
    ivec4 counts;
    // storing.x: number of integer steps of a sample from 0 to 1.0, for example 255; used by SETTLE_STEPS only.
    // storing.y: value of one step in the target. storing.z: opacity. storing.w: 1 if pixels of the original are copied as stored, else 0.
    vec4 storing;
    // The original image along each axis. x: offset from an output pixel to an index in the image. y: number of pixels.
    // z: a multiple of the edge mode's period that makes every index non-negative. w: edge mode, one of EDGE_*.
    ivec4 originalX;
    ivec4 originalY;
    // originalAt.xy: texel of the image's first pixel. originalAt.z: 1 if the shader multiplies the original's colour
    // by its alpha, else 0. originalAt.w: number of content layers in the region, or -1 if all layers lie outside the
    // region.
    ivec4 originalAt;
    // maskX, maskY: positions in the mask picture, along each axis. Positions are fixed-point numbers. These vectors
    // hold the whole pixels of the numbers; maskPartsX and maskPartsY hold the fractional parts. x: position of output
    // pixel 0. y: step from one output pixel to the next. z: number of the mask's pixels. w: first mask pixel that is
    // in the texture.
    ivec4 maskX;
    ivec4 maskY;
    // maskPartsX, maskPartsY: fractional parts of maskX and maskY. x: position of output pixel 0, in 1/65536. y: step,
    // in 1/65536. z: remainder of the step, in 2^-32. w: remainder of the position, in 2^-32.
    uvec4 maskPartsX;
    uvec4 maskPartsY;
    // maskShape: parameters of a geometric mask. Band: rows between which the mask falls to 0 (xy), and between which
    // it rises to 1 again (zw). Circle: centre (xy), and the distances between which the mask rises from 0 to 1 (zw).
    // Ramp: the value before its first part (x).
    vec4 maskShape;
    // maskCentre.xy: is added to the indices of an output pixel. The sum is the position of the pixel's centre in the
    // rectangle that the mask is stretched over.
    vec4 maskCentre;
    // stageKinds: one vector for each colour stage. y: for grain, its seed; for a scatter, 1 if the colour counts.
    // z: for a scatter, the base-2 logarithm of the side of its squares in pixels. w: for a scatter, the number of
    // cycles of its cipher.
    uvec4 stageKinds[STAGE_LIMIT];
    // stageKeys: the 128-bit key of each scatter stage.
    uvec4 stageKeys[STAGE_LIMIT];
    // stageColumns: five vectors for each colour stage. Matrix: contributions of red, green, blue, alpha and one to the
    // four outputs. Adjustment: the weights of red, green, blue and alpha in the sum that is added to every colour; in
    // the second vector the factor of the colour (x). Tint: the constants that are added; in the second vector the
    // factor of all channels (x). Luminance curve: first the luma weights (rgb) and the part of the colour that is taken away
    // (a); in the second vector the curve's coefficients times the amount; in the third the part of luma that is added (x).
    // Grain and scatter: amplitude (x); for a scatter in the second vector the first and the last pixel whose squares have numbers
    // of their own (xy, zw). Encoding: first
    // the threshold, slope, gain and offset (xyzw); in the second vector the exponent (x). Raise and lower: first the weights
    // of the luminance (rgb); in the second vector 1 / K, c0 and c1, or K, h and the strength (see ContrastFloor); in the third
    // threshold, slope, factor and offset of decoding; in the fourth those of an encoding; in the fifth the exponents of both (xy).
    // Vivid: first the weights of luma (rgb) and the smallest room (a); in the second vector the factor, the limit, the strength
    // and the target of the white point (see Vividness).
    vec4 stageColumns[5 * STAGE_LIMIT];
    // Two vectors for each clip rectangle: its left, top, right and bottom edges, then the lines between which its
    // corners lie, in the same order; for quarter circles, these pass through the centres. clipPixels holds their whole
    // pixels, and clipParts their fractional remainders. clipCorners holds the radius of the corners (x), the kind of
    // their curve, one of CORNER_* (y), and the curve's parameters (zw): smoothing and tan(alpha / 2), or the exponent.
    ivec4 clipPixels[2 * CLIP_LIMIT];
    vec4 clipParts[2 * CLIP_LIMIT];
    vec4 clipCorners[CLIP_LIMIT];
    // layers: two vectors for each content layer, then for the clip's image. First vector: left, top, right and bottom of the output pixels that
    // the layer covers. Second vector: x is the layer's first row in the content texture; y is the distance, in texels,
    // from the upper byte of a value to its lower byte; z is the index of the stage that makes the content vibrant, or
    // -1 if the content has its own colours.
    ivec4 layers[2 * LAYER_LIMIT];
    // rampParts: two vectors for each part of a ramp. First vector: the factors of a pixel's x and y in the part's share (xy), the
    // constant that is added (z), and 1 for a step (w). Second vector: x is the difference of the values at the part's ends.
    vec4 rampParts[2 * RAMP_LIMIT];
    // The light along edges. edgeLight: the rim's intensity, width, and sharpness, and the number of shapes. edgeShade: the
    // strength and the width of the shade, and the direction of the light. edgeShapes: five vectors for each shape, see
    // distanceFrom().
    vec4 edgeLight;
    vec4 edgeShade;
    vec4 edgeShapes[5 * EDGE_LIMIT];
    // The premultiplied colour of the shadow.
    vec4 shadow;
    // joining.x: the radius within which shapes flow together.
    vec4 joining;
};

#if ORIGINAL_EXTERNAL
uniform samplerExternalOES originalImage;
#elif ORIGINAL
uniform sampler2D originalImage;
#endif
#if ORIGINAL || BLENDS || MIXES_BLUR
// The mask picture. Each value has 24 bits: the upper byte in red, the middle byte in green, the lower byte in blue.
uniform sampler2D maskImage;
#endif

#if CONTENT || CLIP_IMAGE
// The content layers and the clip's image. Their values have 16 bits: the upper bytes are in the left half of the texture, the lower bytes
// in the right half.
uniform sampler2D contentImage;
#endif

// Returns the dither offset of a pixel, in steps of the output.
float dithered(ivec2 place) {
    if (DITHER == 0) return 0.0;
    return ditherOffset(uvec2(place) + dither.xy, dither.z);
}

// Encrypts 64 bits with XTEA. The number of cycles is a uniform, like all loop bounds.
uvec2 encrypted(uvec2 v, uvec4 key, uint cycles) {
    uint sum = 0u;
    for (uint i = 0u; i < cycles; ++i) {
        v.x += (((v.y << 4) ^ (v.y >> 5)) + v.y) ^ (sum + key[int(sum & 3u)]);
        sum += 0x9E3779B9u;
        v.y += (((v.x << 4) ^ (v.x >> 5)) + v.x) ^ (sum + key[int((sum >> 11) & 3u)]);
    }
    return v;
}

// Returns the three offsets of a square in -1...1 (see Scatter). `kind` is the element of stageKinds.
vec3 scattered(uvec2 square, vec3 color, uvec4 key, uvec4 kind) {
    uvec2 code = encrypted(square, key, kind.w);
    if (kind.y != 0u) {
        uvec3 mean = uvec3(clamp(color, 0.0, 1.0) * 255.0 + 0.5);
        code.x ^= mean.r | mean.g << 8 | mean.b << 16;
        code = encrypted(code, key, kind.w);
    }
    uvec3 bits = uvec3(code.x & 0xFFFFu, code.x >> 16, code.y & 0xFFFFu);
    return (vec3(bits) + 0.5) * (1.0 / 32768.0) - 1.0;
}

#if EDGE
float fall(float d, float width) {
    float t = d / width, rest = 1.0 - t * t;
    return d < width ? rest * rest : 0.0;
}

// Lights and shades a colour near the edge of a shape (see EdgeLight).
vec4 lit(vec4 color, ivec2 place) {
    vec3 found[groupLimit];
    for (int index = 0; index < int(edgeLight.w); ++index) {
        int at = 5 * index;
        found[index] = distanceFrom(
            place, vec2(0.5), edgeShapes[at], edgeShapes[at + 1], edgeShapes[at + 2], edgeShapes[at + 3], edgeShapes[at + 4],
            joining.x);
    }
    int first;
    vec3 deepest = grouped(found, int(edgeLight.w), joining.x, first);
    float band = edgeShapes[5 * first + 2].z;
    if (deepest.x >= band || deepest.x <= -1e9 || color.a <= 0.0) return color;
    float d = max(deepest.x, 0.0);
    color.rgb *= 1.0 - edgeShade.x * fall(d, min(edgeShade.y, band));
    // pow() is undefined for 0 and 0.
    float facing = edgeLight.z > 0.0 ? pow(max(abs(dot(deepest.yz, edgeShade.zw)), 1e-9), edgeLight.z) : 1.0;
    float light = edgeLight.x * facing * fall(d, min(edgeLight.y, band));
    if (light <= 0.0) return color;
    vec3 code = color.rgb / color.a;
    vec3 linear = mix(pow((code + 0.055) / 1.055, vec3(2.4)), code / 12.92, lessThanEqual(code, vec3(0.04045)));
    linear += light * (1.0 - linear);
    code = mix(
        pow(max(linear, vec3(1e-9)), vec3(1.0 / 2.4)) * 1.055 - 0.055, linear * 12.92, lessThanEqual(linear, vec3(0.04045 / 12.92)));
    color.rgb = clamp(code, 0.0, 1.0) * color.a;
    return color;
}
#endif

// Changes the luminance of a colour so that it has a minimum contrast to content (see ContrastFloor).
vec4 contrasted(vec4 color, int at, bool raises) {
    vec4 decoding = stageColumns[at + 2], encoding = stageColumns[at + 3];
    vec3 p = stageColumns[at + 1].xyz, code = color.rgb / color.a;
    vec3 light = pow(max(code * decoding.z + decoding.w, vec3(1e-9)), vec3(stageColumns[at + 4].x));
    light = mix(light, code * decoding.y, lessThanEqual(code, vec3(decoding.x)));
    float luminance = dot(stageColumns[at].rgb, light), amount;
    if (raises) {
        float below = max(1.0 - luminance * p.x, 0.0);
        amount = below * (p.y + p.z * below * below) / max(1.0 - luminance, 1e-6);
        light += (1.0 - light) * amount;
    } else {
        amount = max(luminance - p.x, 0.0);
        light -= light * (p.z * amount * amount / ((p.y + amount) * max(luminance, 1e-9)));
    }
    if (amount <= 0.0) return color;
    code = pow(max(light, vec3(1e-9)), vec3(stageColumns[at + 4].y)) * encoding.z + encoding.w;
    color.rgb = mix(code, light * encoding.y, lessThanEqual(light, vec3(encoding.x))) * color.a;
    return color;
}

// Changes the saturation and the white point of a colour within the gamut (see Vividness).
vec4 vivid(vec4 color, int at) {
    vec4 weights = stageColumns[at], p = stageColumns[at + 1];
    vec3 code = color.rgb / color.a;
    float luma = dot(weights.rgb, code);
    vec3 far = code - luma, room = max(code * (1.0 - code), weights.a), inverse = 1.0 / (room * room);
    float limit = p.y * dot(far, far);
    code += far * (p.x * inversesqrt(sqrt(1.0 + limit * limit * dot(inverse, inverse))));
    float t = clamp((2.0 * p.w - 1.0) * (2.0 * luma - 1.0), 0.0, 1.0);
    code += (p.w - code) * (p.z * t * t * (3.0 - 2.0 * t));
    return vec4(code * color.a, color.a);
}

vec4 stage(vec4 color, int index, int kind, ivec2 place) {
    int at = 5 * index;
    if (kind == STAGE_MATRIX) {
        vec4 sum = stageColumns[at] * color.r;
        sum += stageColumns[at + 1] * color.g;
        sum += stageColumns[at + 2] * color.b;
        sum += stageColumns[at + 3] * color.a;
        color = sum + stageColumns[at + 4];
    } else if (kind == STAGE_ADJUSTMENT) {
        color.rgb = color.rgb * stageColumns[at + 1].x + dot(stageColumns[at], color);
    } else if (kind == STAGE_TINT) {
        color = color * stageColumns[at + 1].x + stageColumns[at];
    } else if (kind == STAGE_LUMINANCE) {
        if (color.a > 0.0) {
            float luma = dot(stageColumns[at].rgb, color.rgb), t = clamp(luma / color.a, 0.0, 1.0);
            vec4 curve = stageColumns[at + 1];
            float grey = ((curve.w * t + curve.z) * t + curve.y) * t + curve.x;
            color.rgb += color.a * grey + luma * stageColumns[at + 2].x - color.rgb * stageColumns[at].a;
        }
    } else if (kind == STAGE_SCATTER) {
        ivec2 nearest = clamp(place, ivec2(stageColumns[at + 1].xy), ivec2(stageColumns[at + 1].zw));
        uvec2 square = uvec2(ivec2(uvec2(nearest) + dither.xy) >> int(stageKinds[index].z));
        color.rgb += scattered(square, color.rgb, stageKeys[index], stageKinds[index]) * stageColumns[at].x * color.a;
    } else if (kind == STAGE_ENCODE) {
        if (color.a > 0.0) {
            vec4 curve = stageColumns[at];
            vec3 light = color.rgb / color.a;
            vec3 code = pow(max(light, vec3(1e-9)), vec3(stageColumns[at + 1].x)) * curve.z + curve.w;
            // NaN is not above the threshold, so the line keeps it.
            color.rgb = mix(light * curve.y, code, greaterThan(light, vec3(curve.x))) * color.a;
        }
        // Floats continue the curve beyond 0...1.
        if (SETTLE != SETTLE_STEPS) return color;
    } else if (kind == STAGE_RAISE || kind == STAGE_LOWER) {
        if (color.a > 0.0) color = contrasted(color, at, kind == STAGE_RAISE);
    } else if (kind == STAGE_VIVID) {
        if (color.a > 0.0) color = vivid(color, at);
    } else if (kind == STAGE_GRAIN) {
        uvec2 pixel = uvec2(place) + dither.xy;
        uint bits = hashBits(pixel.x, hashRow(pixel.y, stageKinds[index].y));
        float part = (float(bits >> 24) + 0.5) * (1.0 / 128.0) - 1.0;
        color.rgb += stageColumns[at].x * part * color.a;
    } else {
        color = unknown;
    }
    color.a = clamp(color.a, 0.0, 1.0);
    color.rgb = clamp(color.rgb, vec3(0.0), vec3(color.a));
    return color;
}

// Rounds a colour to the target's samples. `offset` is the dither in steps, added to colour before rounding.
vec4 settled(vec4 color, float offset) {
    if (SETTLE == SETTLE_STEPS) {
        float steps = storing.x;
        float exact = clamp(color.a * steps, 0.0, steps), alpha = floor(exact + 0.5);
        vec3 value = color.rgb * steps;
        if (STRAIGHT != 0) value *= straightening(exact, alpha, steps);
        value = floor(clamp(value + offset, vec3(0.0), vec3(STRAIGHT != 0 || offset == 0.0 ? steps : alpha)) + 0.5);
        return vec4(value, alpha) * storing.y;
    }
    if (SETTLE == SETTLE_HALVES) color.a = nearestHalves(color).a;
    if (STRAIGHT != 0) color.rgb *= color.a >= 1.17549435e-38 ? 1.0 / color.a : 0.0;
    if (SETTLE == SETTLE_HALVES) return nearestHalves(color);
    return SETTLE == SETTLE_FLOATS ? color : unknown;
}

#if ORIGINAL
// Returns the original pixel as stored in the texture, except that the alpha of an opaque original is 1. Outside the
// image, the edge mode decides which pixel is returned; the result may be transparent black.
vec4 original(ivec2 place) {
    ivec2 index = place + ivec2(originalX.x, originalY.x);
#if ORIGINAL_EDGES
    index = ivec2(outside(index.x, originalX), outside(index.y, originalY));
    if (index.x < 0 || index.y < 0) return vec4(0.0);
#endif
    index += originalAt.xy;
#if ORIGINAL_SWAPS
    index = index.yx;
#endif
#if ORIGINAL_TURNED
    index = index * imagePlace.zw + imagePlace.xy;
#endif
    vec4 stored = texelFetch(originalImage, index, 0);
#if ORIGINAL_OPAQUE
    stored.a = 1.0;
#endif
    return stored;
}
#endif

#if ORIGINAL || BLENDS || MIXES_BLUR
float maskTexel(int x, int y) {
    vec3 bytes = floor(texelFetch(maskImage, ivec2(x, y), 0).rgb * 255.0 + 0.5);
    return dot(bytes, vec3(65536.0, 256.0, 1.0)) / 16777215.0;
}

// Finds the two neighbouring mask texels, `first` and `second`, between which an output pixel lies. `part` tells where
// the pixel lies between them: 0 at the first texel, 1 at the second.
void maskPlace(int place, ivec4 whole, uvec4 parts, out int first, out int second, out float part) {
    uint n = uint(place);
    uint sum = parts.y * n + ((parts.z * n + parts.w) >> 16) + parts.x;
    first = whole.x + whole.y * place + int(sum >> 16);
    uint rest = parts.z * n + parts.w;
    part = (float(sum & 0xFFFFu) + float(rest & 0xFFFFu) * (1.0 / 65536.0)) * (1.0 / 65536.0);
    int last = whole.z - 1;
    second = clamp(first + 1, 0, last) - whole.w;
    first = clamp(first, 0, last) - whole.w;
}

float rising(float low, float high, float x) {
    if (low >= high) return x < low ? 0.0 : 1.0;
    float t = clamp((x - low) / (high - low), 0.0, 1.0);
    return t * t * (3.0 - 2.0 * t);
}

float masked(ivec2 place) {
    if (MASK == MASK_NONE) return 1.0;
    if (MASK == MASK_IMAGE) {
        int left, right, top, bottom;
        vec2 t;
        maskPlace(place.x, maskX, maskPartsX, left, right, t.x);
        maskPlace(place.y, maskY, maskPartsY, top, bottom, t.y);
        float above = mix(maskTexel(left, top), maskTexel(right, top), t.x);
        return mix(above, mix(maskTexel(left, bottom), maskTexel(right, bottom), t.x), t.y);
    }
    vec2 centre = vec2(place) + maskCentre.xy;
    if (MASK == MASK_RAMP || MASK == MASK_STEP) {
        float value = dot(centre, rampParts[0].xy) + rampParts[0].z;
        return MASK == MASK_STEP ? step(0.0, value) : clamp(value, 0.0, 1.0);
    }
    if (MASK == MASK_STOPS) {
        float sum = maskShape.x;
        for (int i = 0; i < counts.x; ++i) {
            vec4 part = rampParts[2 * i];
            float value = dot(centre, part.xy) + part.z;
            sum += rampParts[2 * i + 1].x * (part.w != 0.0 ? step(0.0, value) : clamp(value, 0.0, 1.0));
        }
        return clamp(sum, 0.0, 1.0);
    }
    if (MASK == MASK_BAND)
        return 1.0 - rising(maskShape.x, maskShape.y, centre.y) + rising(maskShape.z, maskShape.w, centre.y);
    if (MASK == MASK_CIRCLE) return rising(maskShape.z, maskShape.w, length(centre - maskShape.xy));
    return 0.0;
}
#endif

#if CONTENT || CLIP_IMAGE
vec4 contentBytes(ivec2 texel) { return floor(texelFetch(contentImage, texel, 0) * 255.0 + 0.5); }

// Returns a pixel of a layer. `box` and `from` are the layer's elements of `layers`.
vec4 layerPixel(ivec2 place, ivec4 box, ivec4 from) {
    ivec2 texel = place - box.xy + ivec2(0, from.x);
    return (contentBytes(texel) * 256.0 + contentBytes(texel + ivec2(from.y, 0))) * (1.0 / 65535.0);
}
#endif

#if ORIGINAL
// Returns the fraction of a pixel's area that lies in the clip rectangles (see RoundedRect). `shade` is the part of their shadow
// (see DropShadow).
float clipped(ivec2 place, out float shade) {
    shade = 0.0;
#if CLIP_IMAGE
    int layer = max(originalAt.w, 0);
    ivec4 box = layers[2 * layer];
    if (any(lessThan(place, box.xy)) || any(greaterThanEqual(place, box.zw))) return float(counts.w);
    vec4 parts = layerPixel(place, box, layers[2 * layer + 1]);
    shade = parts.r;
    return parts.a;
#else
    float sum = 0.0;
    for (int i = 0; i < counts.z; ++i) {
        vec4 edges = vec4(clipPixels[2 * i] - place.xyxy) + clipParts[2 * i];
        vec2 low = max(edges.xy, 0.0), high = min(edges.zw, 1.0);
        vec2 size = high - low;
        if (size.x <= 0.0 || size.y <= 0.0) continue;
        float area = size.x * size.y;
        float radius = clipCorners[i].x;
        vec4 centres = vec4(clipPixels[2 * i + 1] - place.xyxy) + clipParts[2 * i + 1];
        vec2 before = centres.xy - high, upTo = centres.xy - low;
        vec2 behind = low - centres.zw, downTo = high - centres.zw;
        vec2 farthest = max(upTo, downTo);
        // Few pixels lie in the square of a corner. For all other pixels, the loop has no iterations. An `if` would not
        // save the time, because software GL also executes the branch that is not taken.
        bool isCorner = radius > 0.0 && farthest.x > 0.0 && farthest.y > 0.0;
        for (int corner = isCorner ? 0 : 4; corner < 4; ++corner) {
            bvec2 side = bvec2((corner & 1) != 0, (corner & 2) != 0);
            vec2 near = vec2(side.x ? behind.x : before.x, side.y ? behind.y : before.y);
            vec2 far = vec2(side.x ? downTo.x : upTo.x, side.y ? downTo.y : upTo.y);
#if CURVES
            if (int(clipCorners[i].y) == CORNER_CIRCULAR) {
                area -= beyond(near, far, size, radius);
            } else {
                vec2 outer = vec2(side.x ? edges.z - high.x : low.x - edges.x, side.y ? edges.w - high.y : low.y - edges.y);
                vec2 inner = vec2(side.x ? edges.z - low.x : high.x - edges.x, side.y ? edges.w - low.y : high.y - edges.y);
                area -= beyondOutline(outer, inner, size, clipCorners[i]);
            }
#else
            area -= beyond(near, far, size, radius);
#endif
        }
        sum += max(area, 0.0);
    }
    return min(sum, 1.0);
#endif
}
#endif

#if CONTENT
// Returns the colour with the content layers drawn over it (see ContentLayer).
vec4 drawnOver(vec4 color, ivec2 place) {
    for (int i = 0; i < originalAt.w; ++i) {
        ivec4 box = layers[2 * i], from = layers[2 * i + 1];
        if (any(lessThan(place, box.xy)) || any(greaterThanEqual(place, box.zw))) continue;
        vec4 content = layerPixel(place, box, from);
        if (from.z < 0) {
            color = content + color * (1.0 - content.a);
        } else {
            color += (stage(color, from.z, STAGE_MATRIX, place) - color) * content.a;
        }
    }
    return color;
}
#endif

void draw() {
    ivec2 place = pixelPlace();
#if ORIGINAL
    vec4 stored = original(place);
    vec4 below = originalAt.z != 0 ? vec4(stored.rgb * stored.a, stored.a) : stored;
    float shade = 0.0;
    float inside = MIXES == 0 ? 1.0 : counts.z < 0 ? storing.z : storing.z * clipped(place, shade);
#if BLENDS || MIXES_BLUR
    // The mask of a blend mixes the two levels. It does not mix the result with the original picture.
    float part = 1.0;
#else
    float part = masked(place);
#endif
    // A pixel that shows nothing of the effect keeps the bytes of the original. Rounding, or the multiplication and
    // division by alpha, could change the bytes.
    if (shade <= 0.0 && (inside <= 0.0 || (part <= 0.0 && counts.y == 0 && originalAt.w == 0))) {
        if (storing.w == 0.0) {
            result = settled(below, 0.0);
        } else {
            result = SETTLE == SETTLE_STEPS ? floor(stored * storing.x + 0.5) * storing.y : stored;
        }
        return;
    }
#endif
    vec4 color = filtered(place + outputOrigin);
#define NEXT(index, kind) color = stage(color, index, kind, place);
    FIRST_STAGES(NEXT)
#if MIXES_BLUR
    vec4 blurred = color;
#endif
    INSIDE_STAGES(NEXT)
#if MIXES_BLUR
    color = blurred + (color - blurred) * masked(place);
#endif
#if ORIGINAL
    if (part < 1.0) color = below + (color - below) * part;
#endif
    OVER_STAGES(NEXT)
#if EDGE
    color = lit(color, place);
#endif
    LAST_STAGES(NEXT)
#if CONTENT
    color = drawnOver(color, place);
#endif
#if ORIGINAL
#if CLIP_IMAGE
    below += (shadow - below * shadow.a) * shade;
#endif
    if (inside < 1.0) color = below + (color - below) * inside;
#endif
    result = settled(color, dithered(place));
}
#endif
