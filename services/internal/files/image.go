package files

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"

	"golang.org/x/image/draw"

	"adashi.ng/ledger/base/fault"
)

const (
	jpegType = "image/jpeg"
	pngType  = "image/png"

	sideMax    = 8_000
	pixelsMax  = 24_000_000  // A good camera makes pictures of this size; a phone's have half of it.
	workMax    = 240_000_000 // Each scan of a JPEG goes over the whole picture.
	largeFrom  = 6_000_000
	avatarSide = 512
	quality    = 88
)

// foreign are byte sequences that no honest picture contains: a browser or reader could take the file for something
// else.
var foreign = [][]byte{[]byte("<script"), []byte("<!doctype"), []byte("<html"), []byte("%PDF-1")}

// format reads and writes one type of picture.
type format struct {
	config func([]byte) (image.Config, error)
	decode func([]byte) (image.Image, error)
	encode func(*bytes.Buffer, image.Image) error
}

var formats = map[string]format{
	jpegType: {
		config: func(b []byte) (image.Config, error) { return jpeg.DecodeConfig(bytes.NewReader(b)) },
		decode: func(b []byte) (image.Image, error) { return jpeg.Decode(bytes.NewReader(b)) },
		encode: func(out *bytes.Buffer, i image.Image) error {
			return jpeg.Encode(out, i, &jpeg.Options{Quality: quality})
		},
	},
	pngType: {
		config: func(b []byte) (image.Config, error) { return png.DecodeConfig(bytes.NewReader(b)) },
		decode: func(b []byte) (image.Image, error) { return png.Decode(bytes.NewReader(b)) },
		encode: func(out *bytes.Buffer, i image.Image) error { return png.Encode(out, i) },
	},
}

func errNoPicture() error {
	return fault.Field("file", "This picture cannot be read. Please choose another.")
}

// measure checks a picture by its header, before decoding, and returns its number of pixels.
func measure(contentType string, data []byte) (pixels int, err error) {
	lower := bytes.ToLower(data)
	for _, mark := range foreign {
		if bytes.Contains(lower, bytes.ToLower(mark)) {
			return 0, fault.Field("file", "This file is a picture and something else at once. Please choose another.")
		}
	}
	config, err := formats[contentType].config(data)
	if err != nil {
		return 0, errNoPicture()
	}
	pixels = config.Width * config.Height
	if config.Width > sideMax || config.Height > sideMax || pixels > pixelsMax {
		return 0, fault.Field("file", "This picture has %d × %d pixels. Please choose one of at most %d a side and 24 million in all.", config.Width, config.Height, sideMax)
	}
	if contentType == jpegType && pixels*bytes.Count(data, []byte{0xff, 0xda}) > workMax {
		return 0, errNoPicture()
	}
	return pixels, nil
}

// cleanImage re-encodes a measured picture: an avatar as a square JPEG, a document in its own type.
func cleanImage(kind, contentType string, data []byte) (string, []byte, error) {
	f := formats[contentType]
	picture, err := f.decode(data)
	if err != nil {
		return "", nil, errNoPicture()
	}
	turn := 1
	if contentType == jpegType {
		turn = orientation(data)
	}
	if kind == Profile {
		contentType, picture = jpegType, square(picture, avatarSide)
	}
	picture = turned(picture, turn)
	var out bytes.Buffer
	if err := formats[contentType].encode(&out, picture); err != nil {
		return "", nil, errNoPicture()
	}
	if out.Len() > BytesMax {
		return "", nil, fault.New(fault.TooLarge, "This picture is too large. Please choose a smaller one.")
	}
	return contentType, out.Bytes(), nil
}

// square returns the middle of a picture, on white where it is transparent.
func square(picture image.Image, side int) image.Image {
	bounds := picture.Bounds()
	edge := min(bounds.Dx(), bounds.Dy())
	middle := image.Rect(0, 0, edge, edge).Add(bounds.Min).Add(image.Pt((bounds.Dx()-edge)/2, (bounds.Dy()-edge)/2))
	out := image.NewRGBA(image.Rect(0, 0, side, side))
	draw.Draw(out, out.Bounds(), image.NewUniform(color.White), image.Point{}, draw.Src)
	draw.CatmullRom.Scale(out, out.Bounds(), picture, middle, draw.Over, nil)
	return out
}

// turned rotates a picture upright that a camera wrote with an EXIF orientation of 2 to 8.
func turned(picture image.Image, orientation int) image.Image {
	if orientation < 2 || orientation > 8 {
		return picture
	}
	b := picture.Bounds()
	w, h := b.Dx(), b.Dy()
	size := image.Rect(0, 0, w, h)
	if orientation >= 5 {
		size = image.Rect(0, 0, h, w)
	}
	out := image.NewRGBA(size)
	for y := range h {
		for x := range w {
			to := [9]image.Point{
				2: {w - 1 - x, y}, 3: {w - 1 - x, h - 1 - y}, 4: {x, h - 1 - y},
				5: {y, x}, 6: {h - 1 - y, x}, 7: {h - 1 - y, w - 1 - x}, 8: {y, w - 1 - x},
			}[orientation]
			out.Set(to.X, to.Y, picture.At(b.Min.X+x, b.Min.Y+y))
		}
	}
	return out
}
