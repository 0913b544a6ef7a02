// Renders the documents of this folder by librsvg, through sharp of bench/peers:
//
//	NODE_PATH=bench/peers/node_modules node canvas/svg/testdata/make.cjs
const fs = require('fs'), path = require('path'), sharp = require('sharp');
(async () => {
  for (const name of fs.readdirSync(__dirname).filter(n => n.endsWith('.svg')).sort())
    await sharp(path.join(__dirname, name)).png({ compressionLevel: 9, palette: false }).toFile(path.join(__dirname, name.replace(/svg$/, 'png')));
  console.log('librsvg', sharp.versions.rsvg, 'of sharp', sharp.versions.sharp);
})();
