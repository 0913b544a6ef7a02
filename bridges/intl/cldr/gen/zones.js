// Time zones: the IANA names, their metazones, and what they are called. What the keys
// mean is described at the top of zonedata.go, which reads them.
"use strict";

exports.name = "zones";

const NAME_SEP = "|";
const SIX = ["generic", "standard", "daylight"];

function flatZones(tree, prefix, visit) {
  for (const k in tree) {
    const v = tree[k];
    const id = prefix ? prefix + "/" + k : k;
    if (Array.isArray(v) || v._type === "zone") visit(id, v);
    else flatZones(v, id, visit);
  }
}

const minutes = (s) => Date.parse(s.replace(" ", "T") + ":00Z") / 60000;

// canonicalZones gives CLDR's name of each zone by IANA name, and the country by CLDR name.
let zones;
function canonicalZones(cldr) {
  if (zones) return zones;
  const tz = cldr.json("cldr-bcp47/bcp47/timezone.json").keyword.u.tz;
  const canonical = {}, country = {};
  for (const short in tz) {
    if (short[0] === "_" || short === "unk" || !tz[short]._alias || tz[short]._deprecated) continue;
    const names = tz[short]._alias.split(" ");
    for (const n of names) canonical[n] = names[0];
    // The short name begins with the country's code, except for these.
    const own = { gazastrp: "PS", hebron: "PS", jeruslm: "IL", ancur: "CW", fimhq: "AX", gpmsb: "MF", gpsbh: "BL" }[short];
    if (own || !/^utc/.test(short) && names[0].includes("/") && !names[0].startsWith("Etc/")) country[names[0]] = own || short.slice(0, 2).toUpperCase();
  }
  return (zones = { canonical, country });
}

// regions gives the countries that name the zone in the generic location format: they
// have one zone, or the zone is their primary one.
function regions(cldr) {
  const { canonical, country } = canonicalZones(cldr);
  const primary = cldr.json("cldr-core/supplemental/primaryZones.json").supplemental.primaryZones;
  const count = {};
  for (const z in country) count[country[z]] = (count[country[z]] || 0) + 1;
  const out = {};
  for (const z in country) {
    const c = country[z];
    if (count[c] === 1 || canonical[primary[c]] === z) out[z] = c;
  }
  return out;
}

// partial gives the zones that a metazone's name may be qualified with, for which a city
// is needed though the country names the zone: they are not the country's zone of the
// metazone.
let cities;
function partial(cldr) {
  if (cities) return cities;
  const { canonical, country } = canonicalZones(cldr);
  const meta = cldr.json("cldr-core/supplemental/metaZones.json").supplemental.metaZones;
  const golden = {};
  for (const { mapZone: m } of meta.metazones) golden[m._other + "/" + m._territory] = canonical[m._type] || m._type;
  cities = new Set();
  flatZones(meta.metazoneInfo.timezone, "", (id, list) => {
    const z = canonical[id] || id;
    for (const { usesMetazone: m } of list) {
      if (golden[m._mzone + "/" + country[z]] !== z && golden[m._mzone + "/001"] !== z) cities.add(z);
    }
  });
  return cities;
}

exports.supplemental = (cldr) => {
  const out = {};
  const supplemental = (f) => cldr.json("cldr-core/supplemental/" + f + ".json").supplemental;
  const { canonical, country } = canonicalZones(cldr);
  const named = regions(cldr);
  const meta = supplemental("metaZones").metaZones;

  const periods = {};
  flatZones(meta.metazoneInfo.timezone, "", (id, list) => {
    periods[canonical[id] || id] = list.map(({ usesMetazone: m }) =>
      m._mzone + "," + (m._from ? minutes(m._from) : "") + "," + (m._to ? minutes(m._to) : "")).join(";");
  });
  for (const id in canonical) {
    const c = canonical[id];
    out["zone/" + id.toLowerCase()] = [id, c === id ? "" : c].join(NAME_SEP);
    if (c === id && country[id]) out["zoneinfo/" + id] = [country[id], named[id] ? "1" : ""].join(NAME_SEP);
    if (c === id && periods[id]) out["metazones/" + id] = periods[id];
  }
  for (const { mapZone: m } of meta.metazones) {
    const key = "golden/" + m._other;
    out[key] = (out[key] ? out[key] + ";" : "") + m._territory + "=" + (canonical[m._type] || m._type);
  }
  return out;
};

exports.locale = (id, cldr) => {
  const out = {};
  const z = cldr.main("dates", id, "timeZoneNames.json").dates.timeZoneNames;
  out["zh"] = z.hourFormat;
  out["zg"] = z.gmtFormat;
  out["zz"] = z.gmtZeroFormat;
  out["zr"] = z.regionFormat;
  out["zf"] = z.fallbackFormat;
  const six = (v) => {
    const parts = [];
    for (const w of ["long", "short"]) for (const k of SIX) {
      const s = v[w] && v[w][k];
      parts.push(s && s !== "∅∅∅" ? s : "");
    }
    return parts.join(NAME_SEP).replace(/\|+$/, "");
  };
  for (const m in z.metazone || {}) { const s = six(z.metazone[m]); if (s) out["mz/" + m] = s; }
  const { canonical } = canonicalZones(cldr);
  const named = regions(cldr);
  const cityNeeded = partial(cldr);
  flatZones(z.zone, "", (zid, v) => {
    if (zid === "Etc/Unknown") return;
    const c = canonical[zid] || zid;
    const s = six(v);
    if (s) out["zn/" + c] = s;
    const plain = c.slice(c.lastIndexOf("/") + 1).replace(/_/g, " ");
    if (v.exemplarCity && v.exemplarCity !== plain && (!named[c] || cityNeeded.has(c))) out["ec/" + c] = v.exemplarCity;
  });
  const terr = cldr.main("localenames", id, "territories.json");
  if (terr) {
    const names = terr.localeDisplayNames.territories;
    const golden = cldr.json("cldr-core/supplemental/metaZones.json").supplemental.metaZones.metazones.map((m) => m.mapZone._territory);
    for (const c of new Set([...Object.values(named), ...golden])) if (/[A-Z]/.test(c) && names[c] && names[c] !== c) out["cn/" + c] = names[c];
  }
  return out;
};
