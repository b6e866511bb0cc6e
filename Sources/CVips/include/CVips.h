// What Linnet asks of libvips, with fixed signatures: its own functions take as many arguments as there are options.
//
// The library is loaded when the first picture needs it, so a program that only cleans a film does not wait for it, and
// one on a machine without it can say so. Version 8.13 or newer.
#ifndef LINNET_CVIPS_H
#define LINNET_CVIPS_H

#include <stddef.h>
#include <stdint.h>

/// A picture that is being worked on.
typedef struct LinnetPicture LinnetPicture;

/// What a file is read as; no other reader of the library is ever called.
typedef enum { LINNET_JPEG, LINNET_PNG, LINNET_WEBP, LINNET_GIF, LINNET_HEIF } LinnetReader;

/// What a picture's first bytes say of it.
typedef struct {
    /// Dots of the first picture of the file, before it is turned.
    int32_t width, height;
    /// 1 to 8 as in EXIF; 1 is upright.
    int32_t orientation;
    /// Pictures in the file.
    int32_t pages;
    /// Whether it says what its colours are.
    int32_t has_profile;
} LinnetPictureHead;

/// Loads the library and closes all of its readers but one; 0, or -1 when it is not installed or too old.
int linnet_vips_start(LinnetReader reader, int threads);

/// Reads the head of a file; 0, or -1 when there is none. The bytes are not kept.
int linnet_vips_head(const void *bytes, size_t count, LinnetPictureHead *head);

/// Reads a file's first picture, upright, in sRGB with 8 bits, no side longer than `longest`; NULL when it is broken.
/// `has_profile` is what its head says. The bytes are not kept.
LinnetPicture *linnet_vips_read(const void *bytes, size_t count, int longest, int has_profile);

/// The same picture, smaller.
LinnetPicture *linnet_vips_smaller(LinnetPicture *picture, int longest);

int32_t linnet_vips_width(LinnetPicture *picture);
int32_t linnet_vips_height(LinnetPicture *picture);

/// Whether something can be seen through it: 1, 0, or -1 when it is broken.
int linnet_vips_is_transparent(LinnetPicture *picture);

/// Writes it without metadata; 0, or -1. The bytes are released with `linnet_vips_free`.
int linnet_vips_jpeg(LinnetPicture *picture, int quality, void **bytes, size_t *count);
int linnet_vips_png(LinnetPicture *picture, void **bytes, size_t *count);
int linnet_vips_webp(LinnetPicture *picture, int quality, void **bytes, size_t *count);

/// Red, green, blue and opacity of each dot; NULL when it is broken. Released with `linnet_vips_free`.
uint8_t *linnet_vips_samples(LinnetPicture *picture, size_t *count);

void linnet_vips_release(LinnetPicture *picture);
void linnet_vips_free(void *bytes);

#endif
