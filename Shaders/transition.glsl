// Fragment shader for one frame of a transition. All values are premultiplied, and 1.0 is full scale.
//
// Swift (ProgramSource) prepends the #version line, the constants TRANSITION_* and STORE_*, the array sizes
// NUMBER_VECTORS and RAY_COUNT, and the switches of TransitionProgramKey. It appends transition.kinds.glsl, which defines
// the function drawn() of the kind. The switch TRANSITION is one of the constants TRANSITION_*.
// The other switches are 0 or 1:
// - LOAD_CODE: the images' colours are encoded. The shader decodes them into linear light with a transfer function, and
//   encodes the result.
// - SECOND: two textures hold parts of the source.
// - BACKSIDE: there is an image of the page's back.
// - SHADING: there is a picture of a shaded sphere.
//
// Positions are absolute pixels. A position at which an image is read is a pixel and a shift from the pixel's centre,
// so that the fraction of the position stays exact in large images. The shader uses neither the device's bilinear
// filter nor its trigonometric functions, because their precision differs between drivers.

precision highp float;
precision highp int;
precision highp sampler2D;

uniform sampler2D sourceImage;
uniform sampler2D targetImage;
#if SECOND
uniform sampler2D secondImage;
#endif
#if BACKSIDE
uniform sampler2D backsideImage;
#endif
#if SHADING
uniform sampler2D shadingImage;
#endif
#if TRANSITION == TRANSITION_DISINTEGRATE
// The layers of the transition: the rest of the source in red, the shadow in green.
uniform sampler2D layersImage;
#endif

layout(std140) uniform Transition {
    // canvas.xy: the size of the canvas, which begins at (0, 0). canvas.zw: the output's first pixel.
    ivec4 canvas;
    // The size in pixels of the source (xy) and of the backside image (zw).
    ivec4 sizes;
    // The part of its image that each texture holds: the first pixel (xy), and the pixel behind the last one (zw). The
    // texels behind this part are undefined. The texture of the shading image holds all of it.
    ivec4 sourceWindow;
    ivec4 secondWindow;
    ivec4 targetWindow;
    ivec4 backsideWindow;
    ivec4 shadingWindow;
    // Whether the colour of source, target, backside and shading image is straight (1), so that the shader multiplies
    // it by alpha.
    ivec4 straight;
    // store.x: the format in which the result is written, one of the constants STORE_*. store.zw: the pixel of the
    // first texel of the layers.
    ivec4 store;
    // scale.x: the number that STORE_VALUE writes for full scale.
    vec4 scale;
    // Transfer function that decodes colour into light: `code * y` if code <= x, else `(code * z + w)^exponents.x`,
    // with x, y, z and w from `decoding`.
    vec4 decoding;
    // The inverse: `light * y` if light <= x, else `light^exponents.y * z + w`.
    vec4 encoding;
    vec4 exponents;
    // The numbers of the drawing, four in a vector, each as the sum of a number in `numbers` and one in `rests`. See
    // exact().
    vec4 numbers[NUMBER_VECTORS];
    vec4 rests[NUMBER_VECTORS];
    // The noise of a flash, four values in a vector.
    vec4 rays[RAY_COUNT / 4];
};

// The colour of the result if the shader has no branch for a value: opaque magenta.
const vec4 unknown = vec4(1.0, 0.0, 1.0, 1.0);

// What a kind computes for a pixel. Shifts are relative to the pixel's centre. Brightness multiplies colour only.
struct Drawn {
    // The weight of the source, the part of the target that it hides, and its brightness.
    float page, hidden, pageBrightness;
    // Whether the source is read at a shift, and the shift.
    bool isPageMoved;
    vec2 pageShift;
    // The weight of a second pixel of the source, and the shift at which it is read.
    float second;
    vec2 secondShift;
    // The target's brightness, whether it is read at a shift, and the shift.
    float targetBrightness;
    bool isTargetMoved;
    vec2 targetShift;
    // The weight of the back of a page, its brightness, the white that is added to it, as a multiple of its alpha, its
    // shift, and the white that paper adds to a back without an image.
    float back, backBrightness, backWhite;
    vec2 backShift;
    float paper;
    // The weight of the shading image, and the position at which it is read, in fractions of its sides.
    float shading;
    vec2 shadingPosition;
    // The weight of the transition's own colour, and this colour. If it is light that is added, the weight is its gain.
    float light;
    vec4 color;
    bool isColorAdded;
};

// Computes the numbers of a pixel. The kind's branch defines this function.
Drawn drawn(ivec2 pixel);

// Returns a pixel that shows the source with this weight, and the target behind it.
Drawn mixture(float page) {
    const vec2 none = vec2(0.0);
    return Drawn(
        page, page, 1.0, false, none, 0.0, none, 1.0, false, none, 0.0, 1.0, 0.0, none, 0.0, 0.0, none, 0.0, vec4(0.0),
        false);
}

// Numbers of the drawing.

// Returns a number of the drawing, by its index in the order of `TransitionDrawing.numbers`.
float number(int index) { return numbers[index >> 2][index & 3] + rests[index >> 2][index & 3]; }

// Returns a number as the sum of two components. If the number is less than 2^16, the first component is a multiple of
// 1/256. So sums and differences of first components, and of their products with whole numbers, are exact as long as
// they stay below 2^16. The second component holds the rest. Differences of large numbers lose no precision this way.
vec2 exact(int index) { return vec2(numbers[index >> 2][index & 3], rests[index >> 2][index & 3]); }

// Returns four numbers, from an index that is a multiple of 4.
vec4 numbers4(int index) { return numbers[index >> 2] + rests[index >> 2]; }

// Returns the distance u of a pixel as an exact number: see LinearDistance. `index` is the index of its first number.
vec2 distanceOf(ivec2 pixel, int index) {
    vec4 first = numbers[index >> 2], rest = rests[index >> 2];
    vec2 at = vec2(pixel);
    return vec2(first.x * at.x + first.y * at.y + first.z, rest.x * at.x + rest.y * at.y + rest.z);
}

// Returns the distance u of a pixel, clamped to its range over the extent, minus an exact number. `index` is the index
// of the distance's first number.
float clampedDistance(ivec2 pixel, int index, vec2 origin) {
    vec2 u = distanceOf(pixel, index) - origin, end = exact(index + 3);
    vec2 low = -end - origin, high = end - origin;
    return clamp(u.x + u.y, low.x + low.y, high.x + high.y);
}

// Returns the vector from the point whose first number has this index to the centre of a pixel.
vec2 offsetFrom(int index, ivec2 pixel) {
    vec4 first = numbers[index >> 2], rest = rests[index >> 2];
    vec2 whole = (index & 3) == 0 ? first.xy : first.zw;
    vec2 part = (index & 3) == 0 ? rest.xy : rest.zw;
    return (vec2(pixel) - whole) + (0.5 - part);
}

// Elementary functions. The errors do not include the rounding of floats.

float unit(float x) { return clamp(x, 0.0, 1.0); }

// sin(π/2 x) for -1...1: Taylor's series up to x^11; the error is below 6e-8.
float quarterSine(float x) {
    float s = x * x;
    float p = ((-3.598843e-6 * s + 1.604411848e-4) * s - 4.681754135e-3) * s + 7.969262625e-2;
    return ((p * s - 6.459640975e-1) * s + 1.570796327) * x;
}

// cos(πx) for -1...1.
float cosineOfPi(float x) {
    float s = quarterSine(x);
    return 1.0 - 2.0 * s * s;
}

// sin(πx) for -1...1: twice the product of sine and cosine of half the angle.
float sineOfPi(float x) { return 2.0 * quarterSine(x) * quarterSine(1.0 - abs(x)); }

// The angle of a vector in turns, 0 to 1, clockwise from the x axis. (0, 0) has the angle 0. The polynomial for the arc
// tangent is 4.4.49 of Abramowitz and Stegun, Handbook of Mathematical Functions; the error is below 1e-8.
float turns(vec2 v) {
    vec2 size = abs(v);
    float large = max(size.x, size.y);
    float x = large > 0.0 ? min(size.x, size.y) / large : 0.0;
    float s = x * x;
    float p = ((0.0028662257 * s - 0.0161657367) * s + 0.0429096138) * s - 0.0752896400;
    p = (((p * s + 0.1065626393) * s - 0.1420889944) * s + 0.1999355085) * s - 0.3333314528;
    float angle = (p * s + 1.0) * x * 0.15915494;
    if (size.y > size.x) angle = 0.25 - angle;
    if (v.x < 0.0) angle = 0.5 - angle;
    if (v.y < 0.0) angle = 1.0 - angle;
    return angle;
}

// asin(x) for 0...1. `rest` is 1 - x, which the caller may know more precisely. The polynomial is 4.4.46 of Abramowitz
// and Stegun; the error is below 2e-8.
float arcSine(float x, float rest) {
    float p = ((-0.0012624911 * x + 0.0066700901) * x - 0.0170881256) * x + 0.0308918810;
    p = (((p * x - 0.0501743046) * x + 0.0889789874) * x - 0.2145988016) * x + 1.5707963050;
    return 1.57079633 - sqrt(max(rest, 0.0)) * p;
}

// The error function: 7.1.28 of Abramowitz and Stegun; the error is below 4e-7. From 5 on it is 1 within 2e-12.
float errorFunction(float x) {
    float t = min(abs(x), 5.0);
    float p = ((0.0000430638 * t + 0.0002765672) * t + 0.0001520143) * t + 0.0092705272;
    p = ((p * t + 0.0422820123) * t + 0.0705230784) * t + 1.0;
    p *= p;
    p *= p;
    p *= p;
    float value = 1.0 - 1.0 / (p * p);
    return x < 0.0 ? -value : value;
}

// Images.

#if LOAD_CODE
vec3 decoded(vec3 code) {
    vec3 curve = pow(max(code * decoding.z + decoding.w, vec3(1e-9)), vec3(exponents.x));
    return mix(curve, code * decoding.y, lessThanEqual(code, vec3(decoding.x)));
}

vec3 encoded(vec3 light) {
    vec3 curve = pow(max(light, vec3(1e-9)), vec3(exponents.y)) * encoding.z + encoding.w;
    return mix(curve, light * encoding.y, lessThanEqual(light, vec3(encoding.x)));
}
#endif

bool isInside(ivec4 window, ivec2 pixel) {
    return all(greaterThanEqual(pixel, window.xy)) && all(lessThan(pixel, window.zw));
}

// Returns a pixel of an image. Pixels outside the image are transparent, and others outside the window have no weight.
vec4 fetch(sampler2D image, ivec4 window, int isStraight, ivec2 pixel) {
    if (!isInside(window, pixel)) return vec4(0.0);
    vec4 value = texelFetch(image, pixel - window.xy, 0);
#if LOAD_CODE
    if (isStraight == 0) value.rgb *= value.a > 0.0 ? 1.0 / value.a : 0.0;
    value.rgb = decoded(value.rgb) * value.a;
#else
    if (isStraight != 0) value.rgb *= value.a;
#endif
    return value;
}

// Returns a pixel of the source.
vec4 fetchSource(ivec2 pixel) {
#if SECOND
    if (!isInside(sourceWindow, pixel)) return fetch(secondImage, secondWindow, straight.x, pixel);
#endif
    return fetch(sourceImage, sourceWindow, straight.x, pixel);
}

// Returns the bilinear interpolation between a pixel (part = 0) and its right and lower neighbours (part = 1).
vec4 bilinear(vec4 a, vec4 b, vec4 c, vec4 d, vec2 part) {
    vec4 above = a + (b - a) * part.x, below = c + (d - c) * part.x;
    return above + (below - above) * part.y;
}

vec4 interpolated(sampler2D image, ivec4 window, int isStraight, ivec2 pixel, vec2 part) {
    vec4 a = fetch(image, window, isStraight, pixel), b = fetch(image, window, isStraight, pixel + ivec2(1, 0));
    vec4 c = fetch(image, window, isStraight, pixel + ivec2(0, 1)), d = fetch(image, window, isStraight, pixel + 1);
    return bilinear(a, b, c, d, part);
}

// A shift that is large enough to leave every canvas, and that can be converted to integers.
const float farthest = 33554432.0;

// Reads the target at a shift from a pixel's centre.
vec4 sampledTarget(ivec2 pixel, vec2 shift) {
    shift = clamp(shift, -farthest, farthest);
    vec2 whole = floor(shift);
    return interpolated(targetImage, targetWindow, straight.y, pixel + ivec2(whole), shift - whole);
}

// Reads the source at a shift from a pixel's centre.
vec4 sampledSource(ivec2 pixel, vec2 shift) {
    shift = clamp(shift, -farthest, farthest);
    vec2 whole = floor(shift);
    ivec2 at = pixel + ivec2(whole);
    vec4 a = fetchSource(at), b = fetchSource(at + ivec2(1, 0));
    vec4 c = fetchSource(at + ivec2(0, 1)), d = fetchSource(at + 1);
    return bilinear(a, b, c, d, shift - whole);
}

// Reads an image at fractions of its sides. Positions are clamped to the centres of the outermost pixels.
vec4 sampledAt(sampler2D image, ivec4 window, ivec2 size, int isStraight, vec2 fractions) {
    vec2 sides = vec2(size);
    vec2 at = clamp(fractions * sides, vec2(0.5), sides - 0.5) - 0.5;
    vec2 whole = floor(at);
    return interpolated(image, window, isStraight, ivec2(whole), at - whole);
}

// Returns the bilinear coverage of a rectangle at the origin, at a shift from a pixel's centre: 1 inside, with a ramp
// of one pixel at its border.
float coverage(ivec2 size, ivec2 pixel, vec2 shift) {
    shift = clamp(shift, -farthest, farthest);
    vec2 whole = floor(shift);
    vec2 part = shift - whole;
    ivec2 at = pixel + ivec2(whole);
    vec2 first = clamp(vec2(at + 1) + part, 0.0, 1.0), last = clamp(vec2(size - at) - part, 0.0, 1.0);
    return first.x * last.x * (first.y * last.y);
}

// Returns the back of a page at a shift from a pixel's centre: the backside image, stretched over the source, or the
// source as seen through paper. `paper` is the white that the paper adds.
vec4 backOf(ivec2 pixel, vec2 shift, float paper) {
#if BACKSIDE
    vec2 fractions = (vec2(pixel) + 0.5 + shift) / vec2(sizes.xy);
    // The page may be larger than the source. It has no back outside the source.
    vec4 back = sampledAt(backsideImage, backsideWindow, sizes.zw, straight.z, fractions);
    return back * coverage(sizes.xy, pixel, shift);
#else
    vec4 front = sampledSource(pixel, shift);
    return front * (1.0 - paper) + front.a * paper;
#endif
}

vec4 dimmed(vec4 color, float brightness) { return vec4(color.rgb * brightness, color.a); }

vec4 over(vec4 below, vec4 color, float weight) { return below * (1.0 - weight * color.a) + color * weight; }

// Adds light, clipped at opaque white: see Flash.
vec4 lit(vec4 color, vec4 light) {
    float alpha = color.a + (1.0 - color.a) * unit(light.a);
    return vec4(color.rgb + max(vec3(0.0), min(light.rgb, alpha - color.rgb)), alpha);
}

vec4 quantize(vec4 value) { return floor(clamp(value, 0.0, 1.0) * 255.0 + 0.5) * (1.0 / 255.0); }

// Returns a colour in the format in which the result is written: see OutputEncoding.
vec4 stored(vec4 color) {
    if (store.x == STORE_VALUE) return color * scale.x;
    if (store.x == STORE_PREMULTIPLIED) return quantize(color);
    if (store.x == STORE_STRAIGHT) {
        float exact = clamp(color.a, 0.0, 1.0) * 255.0, alpha = floor(exact + 0.5);
        return quantize(vec4(color.rgb * straightening(exact, alpha, 255.0), alpha * (1.0 / 255.0)));
    }
    return unknown;
}

void draw() {
    ivec2 pixel = targetPixel() + canvas.zw;
    if (any(lessThan(pixel, ivec2(0))) || any(greaterThanEqual(pixel, canvas.xy))) {
        result = vec4(0.0);
        return;
    }
    Drawn d = drawn(pixel);
    // In most kinds the conditions of these branches are constants, and compilers remove one of the branches.
    vec4 target, page;
    if (d.isTargetMoved) {
        target = sampledTarget(pixel, d.targetShift);
    } else {
        target = fetch(targetImage, targetWindow, straight.y, pixel);
    }
    if (d.isPageMoved) {
        page = sampledSource(pixel, d.pageShift);
    } else {
        page = fetchSource(pixel);
    }
    vec4 color = dimmed(target, d.targetBrightness) * (1.0 - d.hidden) + dimmed(page, d.pageBrightness) * d.page;
    if (d.second > 0.0) color += sampledSource(pixel, d.secondShift) * d.second;
    if (d.back > 0.0) {
        vec4 back = dimmed(backOf(pixel, d.backShift, d.paper), d.backBrightness);
        color = over(color, back + vec4(vec3(back.a * d.backWhite), 0.0), d.back);
    }
#if SHADING
    if (d.shading > 0.0)
        color = over(
            color, sampledAt(shadingImage, shadingWindow, shadingWindow.zw, straight.w, d.shadingPosition), d.shading);
#endif
    if (d.light > 0.0) color = d.isColorAdded ? lit(color, d.color * d.light) : over(color, d.color, d.light);
#if LOAD_CODE
    if (color.a > 0.0) color.rgb = encoded(color.rgb / color.a) * color.a;
#endif
    result = stored(color);
}
