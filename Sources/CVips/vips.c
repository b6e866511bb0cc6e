#include "CVips.h"

#include <dlfcn.h>
#include <stdlib.h>

// The library's own types are never looked into.
typedef struct _VipsImage VipsImage;

// Constants of its header, which are part of its interface.
enum { ACCESS_SEQUENTIAL = 1, SIZE_DOWN = 2, INTERPRETATION_SRGB = 22, FORMAT_UCHAR = 0 };

static struct {
    int (*init)(const char *);
    void (*concurrency_set)(int);
    void (*cache_set_max)(int);
    void (*block)(const char *, int);
    VipsImage *(*new_from_buffer)(const void *, size_t, const char *, ...);
    VipsImage *(*copy_memory)(VipsImage *);
    int (*get_width)(const VipsImage *);
    int (*get_height)(const VipsImage *);
    int (*get_bands)(const VipsImage *);
    int (*get_orientation)(VipsImage *);
    int (*get_pages)(VipsImage *);
    int (*has_alpha)(VipsImage *);
    size_t (*get_typeof)(const VipsImage *, const char *);
    int (*thumbnail_buffer)(void *, size_t, VipsImage **, int, ...);
    int (*thumbnail_image)(VipsImage *, VipsImage **, int, ...);
    int (*colourspace)(VipsImage *, VipsImage **, int, ...);
    int (*cast)(VipsImage *, VipsImage **, int, ...);
    int (*add_alpha)(VipsImage *, VipsImage **, ...);
    int (*extract_band)(VipsImage *, VipsImage **, int, ...);
    int (*min)(VipsImage *, double *, ...);
    int (*jpegsave_buffer)(VipsImage *, void **, size_t *, ...);
    int (*pngsave_buffer)(VipsImage *, void **, size_t *, ...);
    int (*webpsave_buffer)(VipsImage *, void **, size_t *, ...);
    void *(*write_to_memory)(VipsImage *, size_t *);
    void (*unref)(void *);
    void (*free)(void *);
} vips;

static void *open_library(void) {
    static const char *const names[] = {
        "libvips.so.42", "libvips.42.dylib", "/opt/homebrew/lib/libvips.42.dylib", "/usr/local/lib/libvips.42.dylib",
    };
    for (size_t place = 0; place < sizeof names / sizeof *names; place++) {
        void *library = dlopen(names[place], RTLD_NOW | RTLD_LOCAL);
        if (library != NULL) return library;
    }
    return NULL;
}

static int find_functions(void *library) {
    const struct {
        const char *name;
        void *place;
    } wanted[] = {
        {"vips_init", &vips.init},
        {"vips_concurrency_set", &vips.concurrency_set},
        {"vips_cache_set_max", &vips.cache_set_max},
        {"vips_operation_block_set", &vips.block},
        {"vips_image_new_from_buffer", &vips.new_from_buffer},
        {"vips_image_copy_memory", &vips.copy_memory},
        {"vips_image_get_width", &vips.get_width},
        {"vips_image_get_height", &vips.get_height},
        {"vips_image_get_bands", &vips.get_bands},
        {"vips_image_get_orientation", &vips.get_orientation},
        {"vips_image_get_n_pages", &vips.get_pages},
        {"vips_image_hasalpha", &vips.has_alpha},
        {"vips_image_get_typeof", &vips.get_typeof},
        {"vips_thumbnail_buffer", &vips.thumbnail_buffer},
        {"vips_thumbnail_image", &vips.thumbnail_image},
        {"vips_colourspace", &vips.colourspace},
        {"vips_cast", &vips.cast},
        {"vips_addalpha", &vips.add_alpha},
        {"vips_extract_band", &vips.extract_band},
        {"vips_min", &vips.min},
        {"vips_jpegsave_buffer", &vips.jpegsave_buffer},
        {"vips_pngsave_buffer", &vips.pngsave_buffer},
        {"vips_webpsave_buffer", &vips.webpsave_buffer},
        {"vips_image_write_to_memory", &vips.write_to_memory},
        {"g_object_unref", &vips.unref},
        {"g_free", &vips.free},
    };
    for (size_t place = 0; place < sizeof wanted / sizeof *wanted; place++) {
        void *function = dlsym(library, wanted[place].name);
        if (function == NULL) return -1;
        *(void **)wanted[place].place = function;
    }
    return 0;
}

/// Its decoders may be modules of their own, which it loads with the first file: so that is one of ours, with no picture.
/// Afterwards the process may open nothing more.
static void load_decoders(void) {
    static const char empty[] = "\0\0\0\x18" "ftypheic" "\0\0\0\0" "heicmif1";
    VipsImage *image = vips.new_from_buffer(empty, sizeof empty - 1, "", NULL);
    if (image != NULL) vips.unref(image);
}

int linnet_vips_start(LinnetReader reader, int threads) {
    static const char *const readers[] = {
        [LINNET_JPEG] = "VipsForeignLoadJpeg", [LINNET_PNG] = "VipsForeignLoadPng",
        [LINNET_WEBP] = "VipsForeignLoadWebp", [LINNET_GIF] = "VipsForeignLoadNsgif",
        [LINNET_HEIF] = "VipsForeignLoadHeif",
    };
    void *library = open_library();
    if (library == NULL || find_functions(library) != 0) return -1;
    // Readers that are modules of their own, ImageMagick among them, are not even loaded; that of HEIF may be one.
    if (reader != LINNET_HEIF) setenv("VIPSHOME", "/nonexistent", 1);
    if (vips.init("linnet-media") != 0) return -1;
    vips.concurrency_set(threads);
    vips.cache_set_max(0);
    vips.block("VipsForeignLoad", 1);
    vips.block(readers[reader], 0);
    if (reader == LINNET_HEIF) load_decoders();
    return 0;
}

int linnet_vips_head(const void *bytes, size_t count, LinnetPictureHead *head) {
    VipsImage *image = vips.new_from_buffer(bytes, count, "", "access", ACCESS_SEQUENTIAL, NULL);
    if (image == NULL) return -1;
    head->width = vips.get_width(image);
    head->height = vips.get_height(image);
    head->orientation = vips.get_orientation(image);
    head->pages = vips.get_pages(image);
    head->has_profile = vips.get_typeof(image, "icc-profile-data") != 0;
    vips.unref(image);
    return 0;
}

/// Brings a picture to sRGB with 8 bits, in memory; takes the one it is given.
static LinnetPicture *settled(VipsImage *image) {
    VipsImage *coloured = NULL, *narrow = NULL, *kept = NULL;
    if (vips.colourspace(image, &coloured, INTERPRETATION_SRGB, NULL) == 0
        && vips.cast(coloured, &narrow, FORMAT_UCHAR, NULL) == 0)
        kept = vips.copy_memory(narrow);
    if (narrow != NULL) vips.unref(narrow);
    if (coloured != NULL) vips.unref(coloured);
    vips.unref(image);
    return (LinnetPicture *)kept;
}

LinnetPicture *linnet_vips_read(const void *bytes, size_t count, int longest, int has_profile) {
    VipsImage *image = NULL;
    // Told to convert colours, the library does so also where none of them changes, and that takes its time.
    int failed = vips.thumbnail_buffer(
        (void *)bytes, count, &image, longest, "height", longest, "size", SIZE_DOWN,
        has_profile ? "export_profile" : NULL, "srgb", NULL);
    return failed ? NULL : settled(image);
}

LinnetPicture *linnet_vips_smaller(LinnetPicture *picture, int longest) {
    VipsImage *image = NULL;
    int failed = vips.thumbnail_image(
        (VipsImage *)picture, &image, longest, "height", longest, "size", SIZE_DOWN, NULL);
    return failed ? NULL : settled(image);
}

int32_t linnet_vips_width(LinnetPicture *picture) { return vips.get_width((VipsImage *)picture); }

int32_t linnet_vips_height(LinnetPicture *picture) { return vips.get_height((VipsImage *)picture); }

int linnet_vips_is_transparent(LinnetPicture *picture) {
    VipsImage *image = (VipsImage *)picture, *opacity = NULL;
    double least = 0;
    if (!vips.has_alpha(image)) return 0;
    if (vips.extract_band(image, &opacity, vips.get_bands(image) - 1, NULL) != 0) return -1;
    int failed = vips.min(opacity, &least, NULL);
    vips.unref(opacity);
    return failed ? -1 : least < 255;
}

int linnet_vips_jpeg(LinnetPicture *picture, int quality, void **bytes, size_t *count) {
    return vips.jpegsave_buffer(
        (VipsImage *)picture, bytes, count, "Q", quality, "strip", 1, "optimize_coding", 1, NULL);
}

int linnet_vips_png(LinnetPicture *picture, void **bytes, size_t *count) {
    return vips.pngsave_buffer((VipsImage *)picture, bytes, count, "strip", 1, NULL);
}

int linnet_vips_webp(LinnetPicture *picture, int quality, void **bytes, size_t *count) {
    return vips.webpsave_buffer((VipsImage *)picture, bytes, count, "Q", quality, "strip", 1, NULL);
}

uint8_t *linnet_vips_samples(LinnetPicture *picture, size_t *count) {
    VipsImage *image = (VipsImage *)picture, *whole = NULL;
    uint8_t *samples = NULL;
    if (vips.has_alpha(image)) return vips.write_to_memory(image, count);
    if (vips.add_alpha(image, &whole, NULL) != 0) return NULL;
    VipsImage *narrow = NULL;
    if (vips.cast(whole, &narrow, FORMAT_UCHAR, NULL) == 0) {
        samples = vips.write_to_memory(narrow, count);
        vips.unref(narrow);
    }
    vips.unref(whole);
    return samples;
}

void linnet_vips_release(LinnetPicture *picture) { vips.unref(picture); }

void linnet_vips_free(void *bytes) { vips.free(bytes); }
