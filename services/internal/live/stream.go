package live

import "slices"

const queueMax = 64

// event is what one stream is told.
type event struct {
	position int64
	topics   []string
	refresh  bool // The user's memberships changed: read them again before telling.
}

// stream is one open page. The hub's lock guards all but queue and done, which are channels.
type stream struct {
	userID    string
	sessionID string
	groups    []string
	desks     []string // Of Adashi's own staff, as the caller's roles open them.
	queue     chan event
	done      chan struct{} // Closed by the hub to end the stream.
	ended     bool
	lost      bool // The queue was full: say reset.
}

// offer queues an event without ever waiting: a page that reads too slowly loses them and is told to read all.
func (s *stream) offer(e event) {
	if s.lost {
		return
	}
	select {
	case s.queue <- e:
	default:
		s.lost = true
	}
}

func (s *stream) end() {
	if !s.ended {
		s.ended = true
		close(s.done)
	}
}

// concerns answers what of a change the stream of a user in some groups should hear; no topics is nothing.
func (s *stream) concerns(change *Change, groups []string) event {
	topics := slices.Clone(change.Users[s.userID])
	for _, group := range change.Groups {
		if topic := groupTopic(group); slices.Contains(groups, group) && !slices.Contains(topics, topic) {
			topics = append(topics, topic)
		}
	}
	for _, desk := range change.Desks {
		if slices.Contains(s.desks, desk) {
			topics = append(topics, "desk:"+desk)
		}
	}
	return event{position: change.Position, topics: topics, refresh: slices.Contains(topics, topicGroups)}
}

func groupTopic(group string) string { return "group:" + group }
