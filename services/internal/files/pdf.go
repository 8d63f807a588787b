package files

import (
	"bytes"
	"compress/zlib"
	"encoding/hex"
	"io"
	"regexp"
	"slices"

	"adashi.ng/ledger/base/fault"
)

const (
	pdfType = "application/pdf"
	// inflatedMax limits the total size of a PDF's uncompressed parts.
	inflatedMax = 64 << 20
)

// active are the PDF names of active content.
var active = []string{
	"/JavaScript", "/Launch", "/EmbeddedFile", "/EmbeddedFiles", "/FileAttachment", "/RichMedia", "/SubmitForm", "/ImportData", "/GoToR", "/GoToE", "/XFA", "/Movie", "/Rendition",
}

// foreignPDF are texts that a PDF contains only if it is another type of file as well.
var foreignPDF = []string{"<script", "<html", "<!doctype", "<svg", "pk\x05\x06"}

func errNoPDF() error {
	return fault.Field("file", "This is no whole PDF. Please save it again, and upload that.")
}

func errActive() error {
	return fault.Field("file", "This PDF can do more than be read: it has scripts, forms that send, or files in it. Please print it to a new PDF, and upload that.")
}

// checkPDF refuses a PDF that is truncated, encrypted, another type of file as well, or has active content. It searches
// the compressed parts too, and reads names as a PDF reader does.
func checkPDF(data []byte) error {
	trailer := bytes.TrimRight(data, "\x00\t\n\f\r ")
	if !bytes.HasPrefix(data, []byte("%PDF-1.")) && !bytes.HasPrefix(data, []byte("%PDF-2.")) || !bytes.HasSuffix(trailer, []byte("%%EOF")) {
		return errNoPDF()
	}
	lower := bytes.ToLower(data)
	for _, mark := range foreignPDF {
		if bytes.Contains(lower, []byte(mark)) {
			return errActive()
		}
	}
	if names(data, "/Encrypt") {
		return fault.Field("file", "This PDF is locked with a password. Please save a copy without one, and upload that.")
	}
	if acts(data) || hidesObjects(data) {
		return errActive()
	}
	left := int64(inflatedMax)
	for _, part := range compressed(data) {
		plain, err := inflate(part, &left)
		if err != nil {
			return err
		}
		if acts(plain) {
			return errActive()
		}
	}
	return nil
}

func acts(data []byte) bool {
	return attaches(data) || slices.ContainsFunc(active, func(name string) bool { return names(data, name) })
}

// attaches reports whether a file is attached by /EF alone: a dictionary, or a reference to one, follows the name.
func attaches(data []byte) bool {
	for at := 0; ; at++ {
		found := bytes.IndexByte(data[at:], '/')
		if found < 0 {
			return false
		}
		at += found
		if rest, ok := spells(data[at:], "/EF"); ok && dictionary.Match(rest) {
			return true
		}
	}
}

var dictionary = regexp.MustCompile(`^(?:[\x00\t\n\f\r ]|%[^\r\n]*[\r\n])*(?:<<|\d+[\x00\t\n\f\r ]+\d+[\x00\t\n\f\r ]+R)`)

// codings are the names of the encodings that a PDF's parts may have, except the one that we can read.
var codings = []string{
	"/ASCIIHexDecode", "/AHx", "/ASCII85Decode", "/A85", "/LZWDecode", "/LZW", "/RunLengthDecode", "/RL", "/Crypt", "/CCITTFaxDecode", "/CCF", "/JBIG2Decode",
	"/DCTDecode", "/DCT", "/JPXDecode", "/BrotliDecode",
}

// hidesObjects reports whether a PDF has objects in an encoding that we cannot read, so that we cannot check them.
// Objects in plain text or in the readable encoding are checked like everything else.
func hidesObjects(data []byte) bool {
	keyword := []byte("stream")
	for at, from := 0, 0; ; from = at {
		found := bytes.Index(data[at:], keyword)
		if found < 0 {
			return false
		}
		head := data[from : at+found]
		at += found + len(keyword)
		if begins := bytes.LastIndex(head, []byte("obj")); begins >= 0 {
			head = head[begins:]
		}
		if !names(head, "/ObjStm") {
			continue
		}
		isPlain := !names(head, "/Filter") && !names(head, "/F")
		isCoded := slices.ContainsFunc(codings, func(name string) bool { return names(head, name) })
		if isCoded || !isPlain && !names(head, "/FlateDecode") && !names(head, "/Fl") {
			return true
		}
	}
}

// names reports whether data contains a PDF name, however it is spelt. Names of few letters occur by chance in
// compressed bytes, so the next character must fit a PDF too.
func names(data []byte, name string) bool {
	for at := 0; ; at++ {
		found := bytes.IndexByte(data[at:], '/')
		if found < 0 {
			return false
		}
		at += found
		if rest, ok := spells(data[at:], name); ok && (len(rest) == 0 || bytes.IndexByte([]byte("\x00\t\n\f\r ()<>[]{}/%"), rest[0]) >= 0) {
			return true
		}
	}
}

// spells reads a name, whose letters may be written #xx, and returns the bytes after it.
func spells(data []byte, name string) (rest []byte, ok bool) {
	for i := range len(name) {
		if len(data) == 0 {
			return nil, false
		}
		letter, width := data[0], 1
		if letter == '#' && len(data) >= 3 {
			if raw, err := hex.DecodeString(string(data[1:3])); err == nil {
				letter, width = raw[0], 3
			}
		}
		if letter != name[i] {
			return nil, false
		}
		data = data[width:]
	}
	return data, true
}

// compressed returns the bytes after each of a PDF's stream keywords.
func compressed(data []byte) (parts [][]byte) {
	keyword := []byte("stream")
	for at := 0; ; {
		found := bytes.Index(data[at:], keyword)
		if found < 0 {
			return parts
		}
		at += found + len(keyword)
		part := bytes.TrimPrefix(bytes.TrimPrefix(data[at:], []byte("\r")), []byte("\n"))
		if len(part) > 2 && part[0]&0x0f == 8 && (int(part[0])<<8|int(part[1]))%31 == 0 { // zlib's own header.
			parts = append(parts, part)
		}
	}
}

// inflate returns the readable beginning of a part, and subtracts its size from left.
func inflate(part []byte, left *int64) ([]byte, error) {
	reader, err := zlib.NewReader(bytes.NewReader(part))
	if err != nil {
		return nil, nil //nolint:nilerr // It is not a compressed part.
	}
	plain, _ := io.ReadAll(io.LimitReader(reader, *left+1)) // Of a truncated part we check the bytes that a PDF reader would read.
	if *left -= int64(len(plain)); *left < 0 {
		return nil, fault.Field("file", "This PDF unpacks to more than we look through. Please print it to a new PDF, and upload that.")
	}
	return plain, nil
}
