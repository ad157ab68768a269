/**
 * Whether the JSON text of a value surely has more than `bytes`. Never too quick to say so: strings
 * count by their length, everything else by a character or two. It stops as soon as it is sure.
 */
export function isJsonBeyond(value: unknown, bytes: number): boolean {
  let left = bytes
  const open: unknown[] = [value]
  while (open.length > 0 && left >= 0) {
    const next = open.pop()
    if (typeof next === 'string') left -= next.length + 2
    else if (Array.isArray(next)) left -= openItems(next, left)
    else if (ArrayBuffer.isView(next)) left -= 2 * lengthOf(next)
    else if (typeof next === 'object' && next !== null) left -= openFields(next)
    else left -= 1
  }
  return left < 0

  /** Each has a comma or a bracket beside it: a list that is too long is not looked into. */
  function openItems(items: readonly unknown[], room: number): number {
    if (items.length <= room) for (const item of items) open.push(item)
    return items.length + 1
  }

  /** What writes itself may be shorter than its fields. */
  function openFields(fields: object): number {
    let cost = 2
    if ('toJSON' in fields) return cost
    for (const [key, item] of Object.entries(fields)) {
      if (item === undefined || typeof item === 'function') continue
      cost += key.length + 3
      open.push(item)
    }
    return cost
  }
}

function lengthOf(view: ArrayBufferView): number {
  return 'length' in view ? Number(view.length) : 0
}
