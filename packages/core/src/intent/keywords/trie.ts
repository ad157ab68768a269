/**
 * The words' prefixes as nodes in the order of their length; node 0 is the empty one. The children
 * of a node stand together, sorted by their character, so that a node costs a few numbers.
 */
export interface Trie {
  readonly size: number
  /** The character (UTF-16 unit) that leads to a node. */
  readonly unit: Uint16Array
  readonly firstChild: Int32Array
  readonly childCount: Int32Array
  readonly parent: Int32Array
  /** The word that ends at a node, by its place in the sorted list; -1 for none. */
  readonly word: Int32Array
}

/** Builds the trie of sorted, different, not empty words. Linear in their characters. */
export function buildTrie(words: readonly string[]): Trie {
  const room = words.reduce((sum, { length }) => sum + length, 1)
  const trie = createTrie(room)
  // Of each node: the words that begin with it stand from `from` to `until`.
  const from = new Int32Array(room)
  const until = new Int32Array(room)
  const depth = new Int32Array(room)
  until[0] = words.length
  let size = 1
  for (let node = 0; node < size; node++) {
    const at = depth[node]!
    let index = from[node]!
    if (index < until[node]! && words[index]!.length === at) trie.word[node] = index++
    trie.firstChild[node] = size
    for (; index < until[node]!; index++) {
      const unit = words[index]!.charCodeAt(at)
      const isSame = size > trie.firstChild[node]! && trie.unit[size - 1] === unit
      if (!isSame) {
        trie.unit[size] = unit
        trie.parent[size] = node
        from[size] = index
        depth[size] = at + 1
        size++
      }
      until[size - 1] = index + 1
    }
    trie.childCount[node] = size - trie.firstChild[node]!
  }
  return { ...trie, size }
}

function createTrie(room: number): Trie {
  return {
    size: 0,
    unit: new Uint16Array(room),
    firstChild: new Int32Array(room),
    childCount: new Int32Array(room),
    parent: new Int32Array(room),
    word: new Int32Array(room).fill(-1),
  }
}

/** The child of `node` by `unit`, or -1. */
export function childOf(trie: Trie, node: number, unit: number): number {
  let low = trie.firstChild[node]!
  let high = low + trie.childCount[node]! - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const found = trie.unit[middle]!
    if (found === unit) return middle
    if (found < unit) low = middle + 1
    else high = middle - 1
  }
  return -1
}
