/** What tests count; other numbers in titles are sizes, places and limits. */
const counted = [
  'answers|attempts|bodies|calls|codes|connects|cuts|decisions|files|frames|heads|injections',
  'kill -9|kills|lines of junk|look-ups|messages|paths|processes were killed|races|readers',
  'redemptions|requests|reservations|restarts|rounds|runs|schemas|sessions|sockets|streams|texts',
  'times|users|visits|worlds|writes',
].join('|')
const before = 'mixed|model|mutated|parallel|rolling'
const pattern = new RegExp(
  `(?<![\\w.:/@,-])(\\d+(?:,\\d{3})*) ((?:(?:${before}) )*(?:${counted}))(?![\\w-])`,
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
