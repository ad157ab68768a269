import { type KeyboardEvent as KeyPress, useEffect, useRef, useState } from 'react'
import { neighbour } from './approval-state.ts'

/** For so long after the keys went on by themselves, a key may have been for the one before. */
const guardMs = 800

/** J and K move through the list, from wherever the keys are; the focused one is the current. */
export function useListKeys(ids: readonly string[]) {
  const items = useRef(new Map<string, HTMLElement>())
  const [current, setCurrent] = useState<string>()
  const place = useRef(0)
  const movedAt = useRef(Number.NEGATIVE_INFINITY)
  const at = current === undefined ? -1 : ids.indexOf(current)
  if (at !== -1) place.current = at

  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (isElsewhere(event)) return
      const key = event.key.toLowerCase()
      if (key !== 'j' && key !== 'k') return
      const next = neighbour(ids, current, key === 'j' ? 1 : -1)
      if (next === undefined) return
      event.preventDefault()
      movedAt.current = Number.NEGATIVE_INFINITY
      items.current.get(next)?.focus()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [ids, current])

  // What was decided leaves the list: the keys go on with the one in its place.
  useEffect(() => {
    if (current === undefined || ids.includes(current)) return
    const next = ids[Math.min(place.current, ids.length - 1)]
    setCurrent(next)
    if (next !== undefined && document.activeElement === document.body) {
      movedAt.current = performance.now()
      items.current.get(next)?.focus()
    }
  }, [ids, current])

  return {
    current: current ?? ids[0],
    setCurrent,
    takesKey: ({ repeat, timeStamp }: KeyPress) => !repeat && timeStamp - movedAt.current > guardMs,
    refOf: (id: string) => (element: HTMLElement | null) => {
      if (element) items.current.set(id, element)
      else items.current.delete(id)
    },
  }
}

/** Whether the keys are in a field or in a dialog. */
function isElsewhere({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey || document.querySelector('dialog[open]')) return true
  const typing = 'input:not([type=checkbox]), textarea, select, [contenteditable], [role=menu]'
  return (target as HTMLElement | null)?.closest?.(typing) != null
}
