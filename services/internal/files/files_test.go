package files_test

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/services/internal/files"
	"adashi.ng/services/internal/vault"
)

func TestMain(m *testing.M) { ledgertest.Main(m) }

type bundle struct {
	*files.Store
	ada, bisi, eve string
}

// setup puts Ada and Bisi into one group and Eve into none.
func setup(t *testing.T) bundle {
	t.Helper()
	pool := ledgertest.Pool(t)
	require.NoError(t, vault.Migrate(t.Context(), pool))
	require.NoError(t, vault.Grant(t.Context(), pool))
	keys, err := vault.NewKeys("a master key of the tests, which is long enough")
	require.NoError(t, err)
	v, err := vault.Open(t.Context(), pool, keys, 4)
	require.NoError(t, err)
	t.Cleanup(v.Close)
	b := bundle{ada: uuid.NewString(), bisi: uuid.NewString(), eve: uuid.NewString()}
	b.Store = files.New(files.Options{Vault: v, Share: func(_ context.Context, viewer, owner string) (bool, error) {
		return viewer != b.eve && owner != b.eve, nil
	}})
	return b
}

func picture(w, h int) image.Image {
	i := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			i.Set(x, y, color.RGBA{uint8(255 * x / w), uint8(255 * y / h), 90, 255})
		}
	}
	return i
}

func asPNG(t *testing.T, i image.Image) []byte {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, png.Encode(&out, i))
	return out.Bytes()
}

func asJPEG(t *testing.T, i image.Image) []byte {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, jpeg.Encode(&out, i, nil))
	return out.Bytes()
}

const pdf = "%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n"

// hugePNG declares so many pixels in a valid header, and contains hardly any.
func hugePNG(w, h uint32) []byte {
	header := make([]byte, 13)
	binary.BigEndian.PutUint32(header, w)
	binary.BigEndian.PutUint32(header[4:], h)
	header[8], header[9] = 8, 2
	chunk := append([]byte("IHDR"), header...)
	out := append([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0d"), chunk...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(chunk))
}

func deflated(t *testing.T, text string) string {
	t.Helper()
	var out bytes.Buffer
	w := zlib.NewWriter(&out)
	_, err := w.Write([]byte(text))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return out.String()
}

func within(inner string) []byte {
	return []byte(strings.Replace(pdf, "endobj\n", inner+"endobj\n", 1))
}

func TestWhatIsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	jpegAndScript := append(asJPEG(t, picture(20, 20)), []byte("<SCRIPT>alert(1)</SCRIPT>")...)
	for name, c := range map[string]struct {
		kind     string
		data     []byte
		sentence string
	}{
		"nothing":                {files.Profile, nil, "empty"},
		"an SVG":                 {files.Document, []byte(`<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`), "PDF, or a JPEG"},
		"an SVG as a picture":    {files.Profile, []byte(`<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>`), "JPEG or PNG"},
		"HTML":                   {files.Document, []byte("<!doctype html><p>"), "PDF, or a JPEG"},
		"a GIF":                  {files.Profile, []byte("GIF89a\x01\x00\x01\x00\x00\x00\x00;"), "JPEG or PNG"},
		"a PDF as a picture":     {files.Profile, []byte(pdf), "JPEG or PNG"},
		"a JPEG that is HTML":    {files.Profile, jpegAndScript, "something else at once"},
		"a PNG that is a PDF":    {files.Document, append(asPNG(t, picture(20, 20)), []byte(pdf)...), "something else at once"},
		"half a picture":         {files.Profile, asPNG(t, picture(50, 50))[:120], "cannot be read"},
		"a 50,000-pixel PNG":     {files.Profile, hugePNG(50_000, 50_000), "50000 × 50000 pixels"},
		"a long thin PNG":        {files.Profile, hugePNG(8_001, 1), "8001 × 1 pixels"},
		"a PNG of 40 megapixels": {files.Document, hugePNG(8_000, 5_000), "8000 × 5000 pixels"},
		"a PDF cut off":          {files.Document, []byte(pdf[:60]), "no whole PDF"},
		"a PDF with a tail":      {files.Document, []byte(pdf + "PK\x03\x04 and more"), "no whole PDF"},
		"a PDF with a script":    {files.Document, within("<< /S /JavaScript /JS (app.alert(1)) >>\n"), "do more than be read"},
		"a name in disguise":     {files.Document, within("<< /S /J#61vaScr#69pt >>\n"), "do more than be read"},
		"a PDF that launches":    {files.Document, within("<< /S /Launch /F (calc.exe) >>\n"), "do more than be read"},
		"a file in a PDF":        {files.Document, within("<< /Type /EmbeddedFile >>\n"), "do more than be read"},
		"a script compressed":    {files.Document, within("<< /Type /ObjStm >>\nstream\r\n" + deflated(t, "1 0 << /S /JavaScript >>") + "\nendstream\n"), "do more than be read"},
		"a PDF that is HTML":     {files.Document, within("% <html><script>x()</script>\n"), "do more than be read"},
		"a locked PDF":           {files.Document, within("<< /Encrypt 5 0 R >>\n"), "password"},
		"a PDF bomb":             {files.Document, within("stream\n" + deflated(t, strings.Repeat("\x00", 65<<20)) + "\nendstream\n"), "unpacks to more"},
	} {
		_, err := b.Put(t.Context(), b.ada, c.kind, c.data)
		require.True(t, fault.Is(err, fault.Invalid), "%s: %v", name, err)
		require.ErrorContains(t, err, c.sentence, name)
		require.Equal(t, "file", fault.As(err).Field, name)
	}
	_, err := b.Put(t.Context(), b.ada, files.Document, make([]byte, files.BytesMax+1))
	require.True(t, fault.Is(err, fault.TooLarge), "%v", err)
}

func TestAnAvatarIsASquareJPEGAndNothingElseOfTheFileRemains(t *testing.T) {
	t.Parallel()
	b := setup(t)
	raw := asPNG(t, picture(900, 300))
	const tail = "canary: where the picture was taken"
	f, err := b.Put(t.Context(), b.ada, files.Profile, append(raw, tail...))
	require.NoError(t, err)
	require.Equal(t, "image/jpeg", f.ContentType)
	_, data, err := b.Get(t.Context(), b.ada, f.ID)
	require.NoError(t, err)
	require.NotContains(t, string(data), "canary")
	got, err := jpeg.Decode(bytes.NewReader(data))
	require.NoError(t, err)
	require.Equal(t, image.Rect(0, 0, 512, 512), got.Bounds())
	left, _, _, _ := got.At(2, 256).RGBA()
	right, _, _, _ := got.At(509, 256).RGBA()
	require.InDelta(t, 255/3, left>>8, 6, "the middle third begins a third of the way")
	require.InDelta(t, 255*2/3, right>>8, 6)
}

func TestADocumentStaysWhatItIs(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for kind, data := range map[string][]byte{"image/png": asPNG(t, picture(30, 40)), "image/jpeg": asJPEG(t, picture(30, 40)), "application/pdf": []byte(pdf)} {
		f, err := b.Put(t.Context(), b.ada, files.Document, data)
		require.NoError(t, err)
		require.Equal(t, kind, f.ContentType)
	}
	_, err := b.Put(t.Context(), b.ada, files.Document, within("<< /Type /XObject /Filter /FlateDecode >>\nstream\n"+deflated(t, "BT (Statement of account) Tj ET")+"\nendstream\n"))
	require.NoError(t, err, "compressed text is what most statements are")
}

// held is a JPEG whose EXIF declares this orientation.
func held(t *testing.T, i image.Image, orientation byte) []byte {
	t.Helper()
	tiff := []byte("MM\x00\x2a\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00" + string(orientation) + "\x00\x00\x00\x00\x00\x00")
	segment := append([]byte("Exif\x00\x00"), tiff...)
	raw := asJPEG(t, i)
	head := binary.BigEndian.AppendUint16([]byte{0xff, 0xd8, 0xff, 0xe1}, uint16(len(segment)+2))
	return append(append(head, segment...), raw[2:]...)
}

func TestAPictureIsPutUpright(t *testing.T) {
	t.Parallel()
	b := setup(t)
	// The corner that was the top left of the sensor's picture, where red and green are lowest.
	for orientation, corner := range map[byte]image.Point{1: {2, 2}, 3: {77, 37}, 6: {37, 2}, 8: {2, 77}} {
		f, err := b.Put(t.Context(), b.ada, files.Document, held(t, picture(80, 40), orientation))
		require.NoError(t, err)
		_, data, err := b.Get(t.Context(), b.ada, f.ID)
		require.NoError(t, err)
		got, err := jpeg.Decode(bytes.NewReader(data))
		require.NoError(t, err)
		red, green, _, _ := got.At(corner.X, corner.Y).RGBA()
		require.Less(t, (red+green)>>8, uint32(60), "orientation %d", orientation)
		require.Equal(t, orientation >= 5, got.Bounds().Dy() > got.Bounds().Dx())
		require.NotContains(t, string(data), "Exif")
	}
}

func TestWhoMaySeeAFile(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f, err := b.Put(t.Context(), b.ada, files.Profile, asPNG(t, picture(20, 20)))
	require.NoError(t, err)
	may := func(viewer string) bool {
		_, _, err := b.Get(t.Context(), viewer, f.ID)
		if err != nil {
			require.True(t, fault.Is(err, fault.NotFound), "%v", err)
		}
		return err == nil
	}
	require.Equal(t, "true false false", fmt.Sprint(may(b.ada), may(b.bisi), may(b.eve)), "nobody else's before it is the avatar")
	_, err = b.Vault.Update(t.Context(), b.ada, func(ctx context.Context, tx vault.Tx) error { return tx.ShowAvatar(ctx, f.ID) })
	require.NoError(t, err)
	require.Equal(t, "true true false", fmt.Sprint(may(b.ada), may(b.bisi), may(b.eve)))
	for _, id := range []string{"", "../../etc/passwd", uuid.NewString()} {
		_, _, err := b.Get(t.Context(), b.ada, id)
		require.True(t, fault.Is(err, fault.NotFound), "%q: %v", id, err)
	}
}

// doors stops every file when its unpacking begins, until the test releases it, and counts the files that have begun.
type doors struct{ begun, pass chan struct{} }

func (b bundle) doors() doors {
	d := doors{make(chan struct{}, 100), make(chan struct{})}
	b.Begins(func() { d.begun <- struct{}{}; <-d.pass })
	return d
}

// sends uploads a picture in the background.
func (b bundle) sends(t *testing.T, user string, data []byte) <-chan error {
	answer := make(chan error, 1)
	go func() {
		_, err := b.Put(t.Context(), user, files.Document, data)
		answer <- err
	}()
	return answer
}

func TestFortyMegapixelsAreRefusedBeforeTheyAreDecoded(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Begins(func() { t.Error("it was unpacked") })
	var flat bytes.Buffer
	require.NoError(t, png.Encode(&flat, image.NewGray(image.Rect(0, 0, 8_000, 5_000))))
	_, err := b.Put(t.Context(), b.eve, files.Document, flat.Bytes())
	require.ErrorContains(t, err, "8000 × 5000 pixels")
}

// TestOneMembersPicturesHoldUpNobodyElses: while one picture of a member is in progress, their others are refused at
// once, and other members' pictures are accepted.
func TestOneMembersPicturesHoldUpNobodyElses(t *testing.T) {
	t.Parallel()
	b := setup(t)
	d := b.doors()
	small := asPNG(t, picture(30, 30))
	first := b.sends(t, b.eve, small)
	<-d.begun
	for range 3 {
		err := <-b.sends(t, b.eve, small)
		require.True(t, fault.Is(err, fault.TooMany), "%v", err)
		require.ErrorContains(t, err, "Another file of yours is still being taken.")
	}
	other := b.sends(t, b.ada, small)
	<-d.begun
	d.pass <- struct{}{} // Either of the two: both are in progress.
	d.pass <- struct{}{}
	require.NoError(t, <-first)
	require.NoError(t, <-other)
	again := b.sends(t, b.eve, small)
	<-d.begun
	d.pass <- struct{}{}
	require.NoError(t, <-again, "the place is free again")
}

// TestLargePicturesHoldUpNoSmallOnes, however many members send them: one large one is unpacked at a time.
func TestLargePicturesHoldUpNoSmallOnes(t *testing.T) {
	t.Parallel()
	b := setup(t)
	d := b.doors()
	var large bytes.Buffer
	require.NoError(t, png.Encode(&large, image.NewGray(image.Rect(0, 0, 3_000, 2_000))))
	var waiting []<-chan error
	for range 4 {
		waiting = append(waiting, b.sends(t, uuid.NewString(), large.Bytes()))
	}
	<-d.begun
	small := b.sends(t, b.ada, asPNG(t, picture(30, 30)))
	<-d.begun
	require.Empty(t, d.begun, "the other large ones have not begun")
	d.pass <- struct{}{}
	d.pass <- struct{}{}
	for range 3 {
		<-d.begun
		d.pass <- struct{}{}
	}
	require.NoError(t, <-small)
	for _, answer := range waiting {
		require.NoError(t, <-answer)
	}
}

func FuzzCleaningNeverPanics(f *testing.F) {
	f.Add([]byte(pdf))
	f.Add(hugePNG(10, 10))
	f.Add([]byte("\xff\xd8\xff\xe1\x00\x20Exif\x00\x00MM\x00\x2a\x00\x00\x00\x08"))
	f.Fuzz(func(t *testing.T, data []byte) { _, _, _ = files.Clean(data) })
}
