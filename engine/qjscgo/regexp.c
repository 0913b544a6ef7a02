// Anchored regular expressions.
//
// QuickJS-NG compiles /^a/ to a loop over all positions of the text, in front of what
// fails at each of them but the first: a tokenizer that tries such patterns at the rest of
// its text takes quadratic time. The linker puts this function in the place of lre_compile
// (--wrap in engine.go). Where every alternative begins with ^, it turns the split at the
// head of the loop into a jump out of it, so that the match is tried where it can succeed.
// What matches is the same: without the flag m, ^ holds at position 0 alone.

#include <stddef.h>
#include <stdint.h>
#include <string.h>

// Operations of libregexp-opcode.h; TestRegExpOperations compares them.
enum {
	op_any = 5,
	op_line_start = 6,
	op_goto = 8,
	op_split_goto_first = 9,
	op_split_next_first = 10,
	op_save_start = 12,
	op_save_reset = 14,
};

enum {
	flag_multiline = 4,
	header = 8, // of the code: flags, captures, stack, length
	loop = 11,  // split_goto_first +6, any, goto -11
	steps = 1000,
};

uint8_t *__real_lre_compile(int *plen, char *error, int error_size, const char *buf, size_t buf_len, int flags, void *opaque);

static int32_t offset_at(const uint8_t *p)
{
	int32_t v;
	memcpy(&v, p, sizeof v);
	return v;
}

// anchored reports whether every way from p on meets ^ before anything else. left bounds the
// work for patterns with very many alternatives, which then stay as they are.
static int anchored(const uint8_t *p, const uint8_t *end, int *left)
{
	while (p + 5 <= end && (*left)-- > 0) {
		int32_t to = offset_at(p + 1);
		switch (*p) {
		case op_line_start:
			return 1;
		case op_save_start:
			p += 2;
			break;
		case op_save_reset:
			p += 3;
			break;
		case op_goto:
			if (to < 0 || to > end - p - 5)
				return 0;
			p += 5 + to;
			break;
		case op_split_goto_first:
		case op_split_next_first:
			if (to < 0 || to > end - p - 5 || !anchored(p + 5, end, left))
				return 0;
			p += 5 + to;
			break;
		default:
			return 0;
		}
	}
	return 0;
}

uint8_t *__wrap_lre_compile(int *plen, char *error, int error_size, const char *buf, size_t buf_len, int flags, void *opaque)
{
	uint8_t *code = __real_lre_compile(plen, error, error_size, buf, buf_len, flags, opaque);
	int left = steps;
	if (code && !(flags & flag_multiline) && *plen > header + loop) {
		uint8_t *head = code + header;
		if (head[0] == op_split_goto_first && offset_at(head + 1) == 6 && head[5] == op_any && head[6] == op_goto &&
		    offset_at(head + 7) == -loop && anchored(head + loop, code + *plen, &left))
			head[0] = op_goto;
	}
	return code;
}
