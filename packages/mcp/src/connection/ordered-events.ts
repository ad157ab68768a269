/**
 * Hands out events one after the other: what a listener causes while it is told of an event is told
 * after the events that were there before.
 */
export function createOrderedEvents<T>(listener: (event: T) => void): (...events: T[]) => void {
  const queue: T[] = []
  let isTelling = false

  return (...events) => {
    queue.push(...events)
    if (isTelling) return
    isTelling = true
    try {
      for (let event = queue.shift(); event !== undefined; event = queue.shift()) listener(event)
    } finally {
      isTelling = false
    }
  }
}
