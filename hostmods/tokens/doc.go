// Package tokens counts, encodes and decodes the tokens of language models, with the
// vocabularies cl100k_base, p50k_base, r50k_base and o200k_base, which are part of the
// program: it is some 12 MB larger for them. It registers the host module "tokens".
//
// Results are those of tiktoken's encode_ordinary. Time is linear in the text, but for a
// logarithm where a text has pieces without any space; the context of a call is looked at
// every few kilobytes.
//
// # What differs from js-tiktoken
//
//   - The text of a control token, such as <|endoftext|>, is text: it has several tokens,
//     where the other refuses the whole text.
//   - White space is that of Unicode, as for tiktoken itself: U+0085 is, and U+FEFF is not.
package tokens
