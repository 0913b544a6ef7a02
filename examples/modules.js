// Imports find only what the run declares.
//
//   quicksand run examples/modules.js --module text-tools=examples/text --inputs '"Crème brûlée à la carte"'

import { slug, initials, words } from "text-tools";

return { slug: slug(inputs), initials: initials(inputs), words: words(inputs).length };
