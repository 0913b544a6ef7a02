package entry

import "strings"

// LevelMessage rewrites a message of one engine into the words of the other, so that
// hosts and tests see the same text on both. The words kept are QuickJS-NG's. Messages
// of the guest's own errors that happen to look like an engine's are rewritten too,
// which is why this is for messages that go to the host.
func LevelMessage(message string) string {
	if len(message) > 1024 {
		return message
	}
	if strings.HasPrefix(message, "'") {
		for _, tail := range quotedTails {
			name, ok := strings.CutSuffix(message[1:], "'"+tail)
			if ok && !strings.Contains(name, "'") {
				return name + tail
			}
		}
	}
	if to, ok := leveled[message]; ok {
		return to
	}
	return message
}

// quotedTails follow a name that one engine puts in quotes.
var quotedTails = []string{
	" is not defined",
	" is not initialized",
}

// leveled holds whole messages.
var leveled = map[string]string{
	"stack overflow": "Maximum call stack size exceeded",
}
