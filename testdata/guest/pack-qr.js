import * as qr from "@nodetool-ai/sandbox-qr";
return Object.keys(qr).sort(); //= ["QrCodeDataType","encode","renderANSI","renderSVG","renderUnicode","renderUnicodeCompact"]
---
import { encode } from "@nodetool-ai/sandbox-qr";
const c = encode("https://example.com/päge", { ecc: "Q", border: 2 });
return [c.version, c.size, c.maskPattern, c.data.map((row) => row.map((d) => d ? "#" : ".").join("")).join("\n"), c.types[2].slice(0, 12)]; //= [3,33,4,".................................\n.................................\n..#######...#.#...#..##.#######..\n..#.....#......#..#.##..#.....#..\n..#.###.#.#..###.####...#.###.#..\n..#.###.#...##...#..#...#.###.#..\n..#.###.#.#.#..###.##...#.###.#..\n..#.....#.#..###.#.#.##.#.....#..\n..#######.#.#.#.#.#.#.#.#######..\n...........###..###..............\n...#..#.#.###.##.#....##.##.#....\n....#.#...##.#..#..###..#....##..\n....###.########...###.#..###.#..\n...#..#..#.#.###########.#.#.##..\n......#.##.##.#....#.....#.#..#..\n..#..#...###.####.#.....#.#.#.#..\n...##..##....#..#..#..#.#.#...#..\n..#.###....##..######.####.#.....\n........#.#..#...#..####..#......\n..#..#...##....##.#..##.##....#..\n.......##..#.#.#..##..#..#.#..#..\n....##.#...##......#..#..#....#..\n..#######......#.#.#.#######..#..\n..........#...#.##.####...#.#.#..\n..#######...#....#..###.#.#...#..\n..#.....#..##.##.#...##...##.#...\n..#.###.#.#...#...#..######..##..\n..#.###.#....###...##....#...#...\n..#.###.#..#.##..#.#####...####..\n..#.....#.#..#...###..#.##.#.##..\n..#######.......#..#..###.#..#...\n.................................\n.................................",[-1,-1,2,2,2,2,2,2,2,2,1,0]]
---
import { renderSVG, renderUnicodeCompact, renderUnicode, renderANSI } from "@nodetool-ai/sandbox-qr";
const svg = renderSVG("a", { pixelSize: 2, blackColor: "navy" });
return [svg.slice(0, 160), svg.length, renderUnicodeCompact("a"), renderUnicode("a").length, renderANSI("a").length]; //= ["<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 46 46\"><rect fill=\"white\" width=\"46\" height=\"46\"/><path fill=\"navy\" d=\"M2,2h2v2h-2zM4,2h2v2h-2zM6,2h2v2h-2z",3228,"█▀▀▀▀▀▀▀██▀█▀▀█▀▀▀▀▀▀▀█\n█ █▀▀▀█ █▀ ▄ ▀█ █▀▀▀█ █\n█ █   █ ██▄▀▄▀█ █   █ █\n█ ▀▀▀▀▀ █▀█▀█ █ ▀▀▀▀▀ █\n█▀▀▀█▀▀▀▀  ▀ ▄▀▀███▀███\n███▄█ ▄▀ ▀▀ █▀█▄█▀█▄▄▀█\n█  █▄▀ ▀▀█▄▄█▀█ █▀█ █▀█\n█▀▀▀▀▀▀▀█ ▄█ █ ▀ █ ▀  █\n█ █▀▀▀█ █ ▄  ▄ ▀ ▄ ▀█▀█\n█ █   █ █▀▀▄█▀█▄█▀█▄▄▀█\n█ ▀▀▀▀▀ █  ██▀█ █▀█  ▀█\n▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀",551,5312]
---
// bytes and versions
import { encode, QrCodeDataType } from "@nodetool-ai/sandbox-qr";
return [encode([1, 2, 3]).size, encode("x", { minVersion: 5 }).version, encode("1".repeat(100), { ecc: "H" }).version, QrCodeDataType.Position]; //= [23,5,5,2]
---
import { encode } from "@nodetool-ai/sandbox-qr";
return encode("x".repeat(3000)); //! RangeError "Data too long"
