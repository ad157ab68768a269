/** What tests count; other numbers in titles are sizes, places and limits. */
const counted = [
  'answers|appends|bodies|bytes|calls|clients|connects|created|cuts|decisions|deadlines|frames',
  'files|heads|injections|kill -9|kills|messages|mutations|opened|paths|processes killed|races',
  'readers|reads|redemptions|requests|reservations|restarts|rounds|runs|schemas|sessions|sockets',
  'streams|swaps|texts|times|tokens|turns|used|users|worlds|writes',
].join('|')
const before = 'mutated|rolling|mixed|parallel|killed|slow|model|resolved'
const pattern = new RegExp(
  `(?<![\\w.:/@,-])(\\d[\\d,]*) ((?:(?:${before}) )*(?:${counted}))\\b`,
  'g',
)

/** How often titles say that something was tried, of all of them together; the most first. */
export function countsIn(titles: readonly string[]): string[] {
  const sums = new Map<string, number>()
  for (const title of titles) {
    for (const [, digits = '', what = ''] of title.matchAll(pattern)) {
      sums.set(what, (sums.get(what) ?? 0) + Number(digits.replaceAll(',', '')))
    }
  }
  return [...sums]
    .toSorted(([, one], [, other]) => other - one)
    .map(([what, sum]) => `${sum.toLocaleString('en')} ${what}`)
}
