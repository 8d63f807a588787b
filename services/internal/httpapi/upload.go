package httpapi

import (
	"errors"
	"io"
	"mime/multipart"
	"net/http"

	"github.com/labstack/echo/v5"

	"adashi.ng/ledger/fault"
)

const (
	uploadPath = "/api/file/profile"
	// FileBytesMax is the largest file that is taken; the form round it may have a little more.
	FileBytesMax   = 5 << 20
	uploadBytesMax = FileBytesMax + 16<<10
	kindBytesMax   = 32
)

const fileTooLarge = "A file may have at most 5 MB. Please choose a smaller one."

// Upload reads a form with a file and its kind, each once and nothing else. The file's name is not looked at.
func Upload(c *echo.Context) (kind string, file []byte, err error) {
	reader, err := c.Request().MultipartReader()
	if err != nil {
		return "", nil, fault.New(fault.Invalid, "Please send a form with a file, as multipart/form-data.")
	}
	fields := map[string][]byte{}
	for {
		part, err := reader.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return "", nil, bodyFault(err)
		}
		if err := readPart(part, fields); err != nil {
			return "", nil, err
		}
	}
	for _, name := range []string{"file", "kind"} {
		if _, given := fields[name]; !given {
			return "", nil, fault.Field(name, "Please give %s: it is missing.", name)
		}
	}
	return string(fields["kind"]), fields["file"], nil
}

func readPart(part *multipart.Part, fields map[string][]byte) error {
	name, most := part.FormName(), kindBytesMax
	switch name {
	case "file":
		most = FileBytesMax
	case "kind":
	default:
		return unknownField(name)
	}
	if _, twice := fields[name]; twice {
		return fault.Field(name, "%s is given twice.", name)
	}
	data, err := io.ReadAll(io.LimitReader(part, int64(most)+1))
	if err != nil {
		return bodyFault(err)
	}
	if len(data) > most {
		return &fault.Fault{Code: fault.TooLarge, Field: name, Message: fileTooLarge}
	}
	fields[name] = data
	return nil
}

// Attachment answers a file for keeping: a browser neither shows it as a page nor guesses what it is, and keeps no copy.
func Attachment(c *echo.Context, contentType string, data []byte) error {
	header := c.Response().Header()
	header.Set("Content-Disposition", "attachment")
	header.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	header.Set("Cross-Origin-Resource-Policy", "same-origin")
	header["Cache-Control"] = noStore
	header["X-Content-Type-Options"] = nosniff
	return c.Blob(http.StatusOK, contentType, data)
}
