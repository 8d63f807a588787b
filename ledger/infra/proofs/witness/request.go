package witness

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/tlog"
)

const (
	hashesMost   = 63
	requestBytes = 32 << 10
	// PathAdd is the path at which a witness accepts checkpoints, below its address.
	PathAdd = "/add-checkpoint"
	// sizeType is the type of a reply with the size of the tree that the witness last signed.
	sizeType = "text/x.tlog.size"
)

// request asks a witness to sign a checkpoint that continues a tree of an old size.
type request struct {
	Old   int64
	Proof tlog.TreeProof
	Note  string
}

var errRequest = errors.New("this is no request: an old size line, up to 63 lines of a proof, an empty line and a checkpoint")

func (r request) encode() string {
	var text strings.Builder
	fmt.Fprintf(&text, "old %d\n", r.Old)
	for _, hash := range r.Proof {
		fmt.Fprintln(&text, hash)
	}
	text.WriteString("\n" + r.Note)
	return text.String()
}

func decode(body string) (r request, err error) {
	head, signed, ok := strings.Cut(body, "\n\n")
	lines := strings.Split(head, "\n")
	size, old := strings.CutPrefix(lines[0], "old ")
	if !ok || !old || len(lines)-1 > hashesMost {
		return r, errRequest
	}
	if r.Old, err = strconv.ParseInt(size, 10, 64); err != nil || r.Old < 0 || strconv.FormatInt(r.Old, 10) != size {
		return r, errRequest
	}
	for _, line := range lines[1:] {
		raw, err := base64.StdEncoding.DecodeString(line)
		if err != nil || len(raw) != tlog.HashSize || base64.StdEncoding.EncodeToString(raw) != line {
			return r, errRequest
		}
		r.Proof = append(r.Proof, tlog.Hash(raw))
	}
	r.Note = signed
	return r, nil
}
