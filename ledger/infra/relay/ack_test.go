package relay

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"
)

// unanswered is a message whose acknowledgement never comes.
type unanswered struct{}

func (unanswered) Ok() <-chan *jetstream.PubAck { return nil }
func (unanswered) Err() <-chan error            { return nil }
func (unanswered) Msg() *nats.Msg               { return nil }

func TestAMessageThatIsNeverAcknowledgedIsNotWaitedForForEver(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		require.ErrorContains(t, acknowledged(t.Context(), unanswered{}, 7), "did not answer")
		require.Equal(t, AckMax, time.Since(began))
	})
}
