import pptxgen, * as all from "@nodetool-ai/sandbox-pptxgen";
return [Object.keys(all).sort(), pptxgen.build === all.build]; //= [["build", "default"], true]
---
import { build } from "@nodetool-ai/sandbox-pptxgen";
const bytes = await build({ slides: [{ items: [{ type: "text", text: "x" }] }] });
return [bytes instanceof Uint8Array, String.fromCharCode(...bytes.subarray(0, 2))]; //= [true, "PK"]
---
import { build } from "@nodetool-ai/sandbox-pptxgen";
return await build({ slides: [] }); //! Error "pptxgen.build: slides must have at least one slide"
---
import { build } from "@nodetool-ai/sandbox-pptxgen";
return await build({ slides: Array(201).fill({}) }); //! Error "pptxgen.build: slides has 201 elements, more than the limit of 200"
---
import { build } from "@nodetool-ai/sandbox-pptxgen";
return await build({ slides: [{}, { items: [{ type: "chart" }] }] }); //! Error "pptxgen.build: slide 1 item 0 has the unknown type \"chart\""
---
import { build } from "@nodetool-ai/sandbox-pptxgen";
return await build({ slides: [{ items: [null] }] }); //! Error "pptxgen.build: slide 0 item 0 is no object"
---
import { build } from "@nodetool-ai/sandbox-pptxgen";
return await build({ slides: [{ items: [{ type: "shape", shape: "rect\"/><x" }] }] }); //! Error "pptxgen.build: slide 0 item 0: shape must be the name of a preset geometry"
---
import { build } from "@nodetool-ai/sandbox-pptxgen";
return await build({ slides: [{ background: "nope" }] }); //! Error "pptxgen.build: slide 0: background must be a colour like \"#2563eb\", got \"nope\""
---
import { build } from "@nodetool-ai/sandbox-pptxgen";
return await build({ slides: [{ items: [{ type: "image", data: new Uint8Array(4) }] }] }); //! Error "pptxgen.build: slide 0 item 0: data must be a PNG, JPEG or GIF picture"
---
import { build } from "@nodetool-ai/sandbox-pptxgen";
return await build({ slides: [{ items: [{ type: "text", text: "x", font: "A\"/><x" }] }] }); //! Error "pptxgen.build: slide 0 item 0: font must be the name of a font"
