/**
 * Where `wanted` stands in a text or list, overlapping or not, in time that grows with both lengths
 * and no faster, whatever they hold (Knuth, Morris and Pratt). An empty one is everywhere.
 */
export function* positionsOf(list: ArrayLike<string>, wanted: ArrayLike<string>) {
  const shorter = toShorter(wanted)
  let fitting = 0
  if (wanted.length === 0) yield 0
  for (let at = 0; at < list.length; at++) {
    const item = list[at]
    while (fitting > 0 && wanted[fitting] !== item) fitting = shorter[fitting - 1]!
    if (wanted[fitting] === item) fitting++
    if (fitting < wanted.length) continue
    yield at + 1 - wanted.length
    fitting = shorter[fitting - 1] ?? 0
  }
}

/** For each beginning of `wanted`, how long the longest shorter one is that it also ends with. */
function toShorter(wanted: ArrayLike<string>): Uint32Array {
  const shorter = new Uint32Array(wanted.length)
  let fitting = 0
  for (let at = 1; at < wanted.length; at++) {
    while (fitting > 0 && wanted[fitting] !== wanted[at]) fitting = shorter[fitting - 1]!
    if (wanted[fitting] === wanted[at]) fitting++
    shorter[at] = fitting
  }
  return shorter
}
