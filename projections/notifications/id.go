package notifications

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	"github.com/google/uuid"

	"adashi.ng/projections/notifications/told"
)

// idOf is a notification's id, a UUID of version 8: 48 bits of its event's position, 12 of its type's code and 62 of a
// hash of its recipient and event. It can be read back, and it cannot be made up.
func idOf(user string, pos int64, code int16, event uuid.UUID) (id uuid.UUID) {
	binary.BigEndian.PutUint64(id[:8], uint64(pos)<<16)
	binary.BigEndian.PutUint16(id[6:8], 8<<12|uint16(code))
	hash := sha256.Sum256(fmt.Appendf(nil, "notification\x00%s\x00%s\x00%d", user, event, code))
	copy(id[8:], hash[:8])
	id[8] = 0b10<<6 | id[8]&(1<<6-1)
	return id
}

// placeOf reads an id back. The notification may not exist, or be another: compare the id of the one found.
func placeOf(id uuid.UUID) (pos int64, code int16, ok bool) {
	code = int16(binary.BigEndian.Uint16(id[6:8]) & (1<<12 - 1))
	return int64(binary.BigEndian.Uint64(id[:8]) >> 16), code, id.Version() == 8 && id.Variant() == uuid.RFC4122 && told.TypeOf(code) != ""
}
