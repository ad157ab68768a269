/**
 * A text as units that are compared: words and numbers of other scripts as they stand, Chinese
 * characters one by one. Width, case, plural and punctuation are gone.
 */
export function toUnits(text: string): string[] {
  const folded = text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/['’]s\b/g, '')
  const found = folded.match(/\p{Script=Han}|\d+(?:[,.]\d+)*|[\p{L}\p{M}]+/gu) ?? []
  return found.map(toUnit)
}

export function isHan(unit: string): boolean {
  return /^\p{Script=Han}$/u.test(unit)
}

export function isNumber(unit: string): boolean {
  return /^\d/.test(unit)
}

function toUnit(found: string): string {
  if (isNumber(found)) return found.replaceAll(',', '')
  if (found.length < 4 || /(?:ss|us|is)$/.test(found)) return found
  return found.replace(/ies$/, 'y').replace(/s$/, '')
}
