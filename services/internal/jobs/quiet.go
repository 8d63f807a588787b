package jobs

import (
	"context"
	"log/slog"
)

// quiet is the default logger for warnings and errors only: River tells of every step.
func quiet() *slog.Logger { return slog.New(warnings{slog.Default().Handler()}) }

type warnings struct{ slog.Handler }

func (w warnings) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelWarn }

func (w warnings) WithAttrs(attrs []slog.Attr) slog.Handler {
	return warnings{w.Handler.WithAttrs(attrs)}
}

func (w warnings) WithGroup(name string) slog.Handler { return warnings{w.Handler.WithGroup(name)} }
