/** A queue of which any member can be taken out at once. */
export interface LinkedList<T> {
  readonly size: number
  push(value: T): ListNode<T>
  unshift(value: T): ListNode<T>
  shift(): T | undefined
  /** Does nothing to a node that has left already. */
  remove(node: ListNode<T>): void
}

export interface ListNode<T> {
  readonly value: T
  before: ListNode<T> | undefined
  after: ListNode<T> | undefined
  isIn: boolean
}

export function createLinkedList<T>(): LinkedList<T> {
  let first: ListNode<T> | undefined
  let last: ListNode<T> | undefined
  let size = 0

  function remove(node: ListNode<T>): void {
    if (!node.isIn) return
    if (node.before) node.before.after = node.after
    else first = node.after
    if (node.after) node.after.before = node.before
    else last = node.before
    node.isIn = false
    size--
  }

  return {
    get size() {
      return size
    },
    push(value) {
      const node: ListNode<T> = { value, before: last, after: undefined, isIn: true }
      if (last) last.after = node
      else first = node
      last = node
      size++
      return node
    },
    unshift(value) {
      const node: ListNode<T> = { value, before: undefined, after: first, isIn: true }
      if (first) first.before = node
      else last = node
      first = node
      size++
      return node
    },
    shift() {
      const node = first
      if (node) remove(node)
      return node?.value
    },
    remove,
  }
}
