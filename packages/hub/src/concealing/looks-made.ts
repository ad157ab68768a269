const knownPrefix = /^(?:sk-|glpat-|gh[pousr]_|github_pat_|xox[abeprs]-|AKIA|AIza)[\w-]{12,}$/
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const addresses = /^[0-9a-f:.]*:[0-9a-f:.]*$|:\/\//i
const shortest = 16
/** Of random characters every second or so is of another kind than the one before it. */
const fewestTurns = 7
/** `NamesThatAreWrittenLikeThis` have some too. */
const fewestWithoutDigit = 12

/**
 * Whether a machine made the text at random, as tokens are; `Bearer` and the like may stand before
 * it. A name, an address or a word does not look so, nor do many passwords.
 */
export function looksMade(value: string): boolean {
  const text = value.replace(/^[A-Za-z]+ +/, '')
  if (knownPrefix.test(text) || uuid.test(text)) return true
  if (text.length < shortest || /\s/.test(text) || addresses.test(text)) {
    return false
  }
  return countTurns(text) >= (/\d/.test(text) ? fewestTurns : fewestWithoutDigit)
}

function countTurns(text: string): number {
  let turns = 0
  for (let at = 1; at < text.length; at += 1) {
    const [before, here] = [kindOf(text.charAt(at - 1)), kindOf(text.charAt(at))]
    if (before !== here && before !== 'other' && here !== 'other') turns += 1
  }
  return turns
}

function kindOf(character: string): 'digit' | 'upper' | 'lower' | 'other' {
  if (/[0-9]/.test(character)) return 'digit'
  if (/[A-Z]/.test(character)) return 'upper'
  return /[a-z]/.test(character) ? 'lower' : 'other'
}
