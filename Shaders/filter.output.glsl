// What becomes of the last draw's result: OutputStages of FrostCore, in its order. Comes behind filter.frag, which then has
// no main(). Swift puts in front the lists STAGE_* and MASK_*, *_LIMIT and DITHER_PERIOD, and as 0 or 1
// ORIGINAL: whether the image itself is needed, for a mask or for rectangles to clip to,
// CONTENT: whether something is drawn over the result.
//
// Stages are data: no effect compiles anything. Values are premultiplied, 1.0 for full scale; places are pixels counted
// from the output's first, so that an image may lie anywhere. Neither the device's bilinear filter nor asin() is used:
// drivers differ in how exact they are.
#if OUTPUT_STAGES

layout(std140) uniform OutputStages {
    // The first pixel's absolute place modulo 2^32, the dither's seed, and whether there is dither.
    uvec4 dither;
    // Stages inside of the mask, stages in all, rectangles (-1: everywhere), and the mask's kind.
    ivec4 counts;
    // Steps of the samples to 1.0 (0: they are not rounded), what a step is in the target, and as 0 or 1: whether
    // the target's colour is straight, and whether the original goes there as it is stored.
    vec4 storing;
    // For each axis: from a place to an index in the image, the number of its pixels, a multiple of the edge rule's
    // period that makes every index positive, and the rule.
    ivec4 originalX;
    ivec4 originalY;
    // The texel of the image's first pixel, whether its colour has to be multiplied by its alpha, and how many layers
    // of content there are (-1: some, but none in the region).
    ivec4 originalAt;
    // For each axis the place in the mask: whole pixels at place 0, and from one place to the next; the mask's pixels,
    // and the first that the texture has.
    ivec4 maskX;
    ivec4 maskY;
    // The fractions of these: of place 0 in 65536ths, of a step in 65536ths, and the rests of a step and of place 0 in
    // 2^-32.
    uvec4 maskPartsX;
    uvec4 maskPartsY;
    // Of a band the rows between which the mask falls to 0 and rises again, of a circle its centre and the distances
    // between which it rises, of a ramp or step what x, y and one add to its value.
    vec4 maskShape;
    // From a place to the centre of its pixel in the image.
    vec4 maskCentre;
    // Kind, seed, and the power of two that is the side of a square of scatter, in pixels; its key.
    uvec4 stageKinds[STAGE_LIMIT];
    uvec4 stageKeys[STAGE_LIMIT];
    // Of a matrix what red, green, blue, alpha and one add to each output. Of a curve the weights of luma and the amount,
    // and the coefficients of luma's powers times the amount. Of grain and scatter the amplitude. Of an encoding threshold,
    // slope, gain and lift, and the exponent.
    vec4 stageColumns[5 * STAGE_LIMIT];
    // Left, top, right and bottom, and in the same order the centres of the corners' arcs: whole pixels, and the rest.
    ivec4 clipPixels[2 * CLIP_LIMIT];
    vec4 clipParts[2 * CLIP_LIMIT];
    vec4 clipRadius[CLIP_LIMIT];
    // Of a layer of content the places that it covers, from left and top to right and bottom; in its texture the first
    // row, and how far right the lower bytes are; and the stage that makes it vibrant, or -1.
    ivec4 layers[2 * LAYER_LIMIT];
};

#if ORIGINAL_EXTERNAL
uniform samplerExternalOES originalImage;
#elif ORIGINAL
uniform sampler2D originalImage;
#endif
#if ORIGINAL || DRAW == DRAW_BLEND
// 24 bits in red, green and blue.
uniform sampler2D maskImage;
#endif

#if CONTENT
// Values of 16 bits: the upper bytes, and further right the lower ones.
uniform sampler2D contentImage;
#endif

// PixelHash, 32 bits: the part that a row has in common, and a pixel's.
uint hashRow(uint y, uint seed) {
    uint row = y * 0x9E3779B1u + seed;
    row = (row ^ (row >> 16)) * 0x85EBCA6Bu;
    row = (row ^ (row >> 13)) * 0xC2B2AE35u;
    return row ^ (row >> 16);
}

uint hashBits(uint x, uint row) {
    uint h = (x * 0x9E3779B1u) ^ row;
    return (h ^ (h >> 15)) * 0x2C1B3C6Du;
}

// What dither adds to a colour in steps, so that it is then rounded to the nearest: see Dither.
float dithered(ivec2 place) {
    if (dither.w == 0u) return 0.0;
    uvec2 pixel = uvec2(place) + dither.xy;
    uint column = (pixel.x + hashRow(pixel.y, dither.z)) % uint(DITHER_PERIOD);
    uint bits = hashBits(column, hashRow(0u, ~dither.z));
    return (float(((bits - (bits >> 3)) >> 26) + 4u) + 0.5) * (1.0 / 64.0) - 0.5;
}

// XTEA: see Scatter. The number of cycles is a uniform, as all bounds of loops.
vec3 scattered(uvec2 v, uvec4 key, uint cycles) {
    uint sum = 0u;
    for (uint i = 0u; i < cycles; ++i) {
        v.x += (((v.y << 4) ^ (v.y >> 5)) + v.y) ^ (sum + key[int(sum & 3u)]);
        sum += 0x9E3779B9u;
        v.y += (((v.x << 4) ^ (v.x >> 5)) + v.x) ^ (sum + key[int((sum >> 11) & 3u)]);
    }
    uvec3 bits = uvec3(v.x & 0xFFFFu, v.x >> 16, v.y & 0xFFFFu);
    return (vec3(bits) + 0.5) * (1.0 / 32768.0) - 1.0;
}

vec4 stage(vec4 color, int index, ivec2 place) {
    int at = 5 * index;
    uint kind = stageKinds[index].x;
    if (kind == uint(STAGE_MATRIX)) {
        vec4 sum = stageColumns[at] * color.r;
        sum += stageColumns[at + 1] * color.g;
        sum += stageColumns[at + 2] * color.b;
        sum += stageColumns[at + 3] * color.a;
        color = sum + stageColumns[at + 4];
    } else if (kind == uint(STAGE_LUMINANCE)) {
        if (color.a > 0.0) {
            float t = clamp(dot(stageColumns[at].rgb, color.rgb) / color.a, 0.0, 1.0);
            vec4 curve = stageColumns[at + 1];
            float grey = ((curve.w * t + curve.z) * t + curve.y) * t + curve.x;
            color.rgb += color.a * grey - color.rgb * stageColumns[at].a;
        }
    } else if (kind == uint(STAGE_SCATTER)) {
        uvec2 square = uvec2(ivec2(uvec2(place) + dither.xy) >> int(stageKinds[index].z));
        color.rgb += scattered(square, stageKeys[index], stageKinds[index].w) * stageColumns[at].x * color.a;
    } else if (kind == uint(STAGE_ENCODE)) {
        if (color.a > 0.0) {
            vec4 curve = stageColumns[at];
            vec3 light = color.rgb / color.a;
            vec3 code = pow(max(light, vec3(1e-9)), vec3(stageColumns[at + 1].x)) * curve.z + curve.w;
            color.rgb = mix(code, light * curve.y, lessThanEqual(light, vec3(curve.x))) * color.a;
        }
    } else if (kind == uint(STAGE_GRAIN)) {
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

// Rounded to the target's samples, with an offset in steps that dither adds to colour. Straight colour is divided by the
// alpha that a reader will find.
vec4 settled(vec4 color, float offset) {
    float steps = storing.x;
    if (steps == 0.0) {
        if (storing.z != 0.0) color.rgb *= color.a >= 1.17549435e-38 ? 1.0 / color.a : 0.0;
        return color;
    }
    float alpha = floor(clamp(color.a * steps, 0.0, steps) + 0.5);
    vec3 value = color.rgb * steps;
    if (storing.z != 0.0) value *= alpha > 0.0 ? steps / alpha : 0.0;
    value = floor(clamp(value + offset, vec3(0.0), vec3(storing.z != 0.0 || offset == 0.0 ? steps : alpha)) + 0.5);
    return vec4(value, alpha) * storing.y;
}

#if ORIGINAL
// As stored; transparent black outside the image, by some edge rules.
vec4 original(ivec2 place) {
    ivec2 index = place + ivec2(originalX.x, originalY.x);
    // Written out, since most pixels lie in the image.
    if (index.x < 0 || index.x >= originalX.y) index.x = outside(index.x, originalX);
    if (index.y < 0 || index.y >= originalY.y) index.y = outside(index.y, originalY);
    if (index.x < 0 || index.y < 0) return vec4(0.0);
    index += originalAt.xy;
#if ORIGINAL_RISES
    index.y = topRow - index.y;
#endif
    return texelFetch(originalImage, index, 0);
}
#endif

#if ORIGINAL || DRAW == DRAW_BLEND
float maskTexel(int x, int y) {
    vec3 bytes = floor(texelFetch(maskImage, ivec2(x, y), 0).rgb * 255.0 + 0.5);
    return dot(bytes, vec3(65536.0, 256.0, 1.0)) / 16777215.0;
}

// Two neighbours in the mask's texture, and how far the place lies from the first to the second.
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
    if (counts.w == MASK_NONE) return 1.0;
    if (counts.w == MASK_IMAGE) {
        int left, right, top, bottom;
        vec2 t;
        maskPlace(place.x, maskX, maskPartsX, left, right, t.x);
        maskPlace(place.y, maskY, maskPartsY, top, bottom, t.y);
        float above = mix(maskTexel(left, top), maskTexel(right, top), t.x);
        return mix(above, mix(maskTexel(left, bottom), maskTexel(right, bottom), t.x), t.y);
    }
    vec2 centre = vec2(place) + maskCentre.xy;
    if (counts.w == MASK_RAMP || counts.w == MASK_STEP) {
        float value = dot(centre, maskShape.xy) + maskShape.z;
        return counts.w == MASK_STEP ? step(0.0, value) : clamp(value, 0.0, 1.0);
    }
    if (counts.w == MASK_BAND)
        return 1.0 - rising(maskShape.x, maskShape.y, centre.y) + rising(maskShape.z, maskShape.w, centre.y);
    if (counts.w == MASK_CIRCLE) return rising(maskShape.z, maskShape.w, length(centre - maskShape.xy));
    return 0.0;
}
#endif

#if DRAW == DRAW_BLEND
// The mixture of the two levels: see Blend.
vec4 blended(ivec2 place) {
    float value = min(masked(place), 1.0);
    // Where a mask is 1 throughout, mixing its pixels may give a rounding less.
    if (value > 0.99999) value = 1.0;
    float share = value * value;
    if (share < shareBounds.x || share >= shareBounds.y) discard;
    ivec4 at = clamp(place.xyxy + levelOrigins, ivec4(0), levelSizes - 1);
    vec4 lower = texelFetch(inputImage, at.xy, 0);
    vec4 upper = texelFetch(upperImage, at.zw, 0);
    return lower + (upper - lower) * clamp((share - levelShares.x) * levelShares.y, 0.0, 1.0);
}
#endif

#if ORIGINAL
// The area of a box of sides `size` in the first quadrant that lies within the circle around the origin.
float discArea(vec2 low, vec2 high, vec2 size, float radius) {
    if (dot(low, low) >= radius * radius) return 0.0;
    if (dot(high, high) <= radius * radius) return size.x * size.y;
    // For each x the box reaches from low.y to min(high.y, the arc).
    float full = high.y < radius ? sqrt((radius - high.y) * (radius + high.y)) : 0.0;
    float end = sqrt(max((radius - low.y) * (radius + low.y), 0.0));
    full = clamp(full, low.x, high.x);
    end = clamp(end, full, high.x);
    // Below the arc from `full` to `end`: with x = radius - s^2 the arc is s * sqrt(2 radius - s^2), which is smooth
    // in s, so that four points of Gauss and Legendre leave an error below 1e-5 of the area.
    float near = sqrt(max(radius - end, 0.0)), far = sqrt(max(radius - full, 0.0));
    float middle = 0.5 * (near + far);
    float reach = middle > 0.0 ? 0.25 * (end - full) / middle : 0.0;
    vec4 s = middle + reach * vec4(-0.8611363116, -0.3399810436, 0.3399810436, 0.8611363116);
    vec4 heights = s * sqrt(max(2.0 * radius - s * s, vec4(0.0))) - low.y;
    vec4 weights = vec4(0.3478548451, 0.6521451549, 0.6521451549, 0.3478548451);
    return (full - low.x) * size.y + reach * dot(weights * 2.0 * s, heights);
}

// What lies beyond a corner's arc: `low` and `high` are distances from its centre, outwards.
float beyond(vec2 low, vec2 high, vec2 size, float radius) {
    if (high.x <= 0.0 || high.y <= 0.0) return 0.0;
    // The pixel's own sides where all of it counts, so that they cancel to the last bit.
    size = vec2(low.x >= 0.0 ? size.x : high.x, low.y >= 0.0 ? size.y : high.y);
    return size.x * size.y - discArea(max(low, 0.0), high, size, radius);
}

// The part of a pixel that lies in the rectangles: see RoundedRect.
float clipped(ivec2 place) {
    float sum = 0.0;
    for (int i = 0; i < counts.z; ++i) {
        vec4 edges = vec4(clipPixels[2 * i] - place.xyxy) + clipParts[2 * i];
        vec2 low = max(edges.xy, 0.0), high = min(edges.zw, 1.0);
        vec2 size = high - low;
        if (size.x <= 0.0 || size.y <= 0.0) continue;
        float area = size.x * size.y;
        float radius = clipRadius[i].x;
        vec4 centres = vec4(clipPixels[2 * i + 1] - place.xyxy) + clipParts[2 * i + 1];
        vec2 before = centres.xy - high, upTo = centres.xy - low;
        vec2 behind = low - centres.zw, downTo = high - centres.zw;
        vec2 farthest = max(upTo, downTo);
        // Few pixels lie in a corner's square. A loop, since software GL computes what an if leaves out.
        bool isCorner = radius > 0.0 && farthest.x > 0.0 && farthest.y > 0.0;
        for (int corner = isCorner ? 0 : 4; corner < 4; ++corner) {
            bvec2 side = bvec2((corner & 1) != 0, (corner & 2) != 0);
            vec2 near = vec2(side.x ? behind.x : before.x, side.y ? behind.y : before.y);
            vec2 far = vec2(side.x ? downTo.x : upTo.x, side.y ? downTo.y : upTo.y);
            area -= beyond(near, far, size, radius);
        }
        sum += max(area, 0.0);
    }
    return min(sum, 1.0);
}
#endif

#if CONTENT
vec4 contentBytes(ivec2 texel) { return floor(texelFetch(contentImage, texel, 0) * 255.0 + 0.5); }

// With the content over it: see ContentLayer.
vec4 drawnOver(vec4 color, ivec2 place) {
    for (int i = 0; i < originalAt.w; ++i) {
        ivec4 box = layers[2 * i], from = layers[2 * i + 1];
        if (any(lessThan(place, box.xy)) || any(greaterThanEqual(place, box.zw))) continue;
        ivec2 texel = place - box.xy + ivec2(0, from.x);
        vec4 content = (contentBytes(texel) * 256.0 + contentBytes(texel + ivec2(from.y, 0))) * (1.0 / 65535.0);
        if (from.z < 0) {
            color = content + color * (1.0 - content.a);
        } else {
            color += (stage(color, from.z, place) - color) * content.a;
        }
    }
    return color;
}
#endif

void main() {
    ivec2 place = pixelPlace();
#if ORIGINAL
    vec4 stored = original(place);
    vec4 below = originalAt.z != 0 ? vec4(stored.rgb * stored.a, stored.a) : stored;
    float inside = counts.z < 0 ? 1.0 : clipped(place);
#if DRAW == DRAW_BLEND
    // The mask mixes the levels instead.
    float part = 1.0;
#else
    float part = masked(place);
#endif
    // What shows nothing of the effect keeps its bytes, which rounding and alpha might change.
    if (inside <= 0.0 || (part <= 0.0 && counts.x == counts.y && originalAt.w == 0)) {
        if (storing.w == 0.0) {
            result = settled(below, 0.0);
        } else {
            result = storing.x == 0.0 ? stored : floor(stored * storing.x + 0.5) * storing.y;
        }
        return;
    }
#endif
#if DRAW == DRAW_BLEND
    vec4 color = blended(place);
#else
    vec4 color = filtered(place + outputOrigin);
#endif
    for (int i = 0; i < counts.x; ++i) color = stage(color, i, place);
#if ORIGINAL
    if (part < 1.0) color = below + (color - below) * part;
#endif
    for (int i = counts.x; i < counts.y; ++i) color = stage(color, i, place);
#if CONTENT
    color = drawnOver(color, place);
#endif
#if ORIGINAL
    if (inside < 1.0) color = below + (color - below) * inside;
#endif
    result = settled(color, dithered(place));
}
#endif
