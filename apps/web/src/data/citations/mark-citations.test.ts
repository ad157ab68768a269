import { expect, test } from 'vitest'
import { markCitations, type TreeNode } from './mark-citations.ts'

const text = (value: string, from?: number): TreeNode => ({
  ...{ type: 'text', value },
  ...(from !== undefined && {
    position: { start: { offset: from }, end: { offset: from + value.length } },
  }),
})
const element = (tagName: string, ...children: TreeNode[]): TreeNode => ({
  ...{ type: 'element', tagName, children },
})
const span = (from: number, said: string) => ({ from, to: from + said.length, text: said })

/** The tree with tags where elements are. */
function shown({ tagName, value, children = [] }: TreeNode): string {
  const inner = value ?? children.map(shown).join('')
  return tagName === undefined ? inner : `<${tagName}>${inner}</${tagName}>`
}

function marked(tree: TreeNode, ...spans: ReturnType<typeof span>[]): string {
  markCitations({ spans })(tree)
  return shown(tree)
}

test('citations become chips, one or several', () => {
  expect(marked(element('p', text('Sales were 12 [q1][q2], up 3 [q3, q12].')))).toBe(
    '<p>Sales were 12 <cite>[q1]</cite><cite>[q2]</cite>, up 3 <cite>[q3, q12]</cite>.</p>',
  )
})

test('in any brackets, and of queries that were never run', () => {
  expect(marked(element('p', text('华东 12【q1】，华南 3【 q2、q3 】[q0][q1234567]。')))).toBe(
    '<p>华东 12<cite>【q1】</cite>，华南 3<cite>【 q2、q3 】</cite><cite>[q0]</cite><cite>[q1234567]</cite>。</p>',
  )
})

test('what only looks like one stays', () => {
  const same = 'a [Q1] [q1 [q] (q1) 【q1] q1'
  expect(marked(element('p', text(same)))).toBe(`<p>${same}</p>`)
})

test('code and links are never touched', () => {
  const tree = element('p', element('code', text('[q1] 5', 0)), element('a', text('[q1]')))
  expect(marked(tree, span(5, '5'))).toBe('<p><code>[q1] 5</code><a>[q1]</a></p>')
})

test('a number is marked where it stands, not where the same one stands too', () => {
  const tree = element('p', text('5 of 5 [q1], 5', 10))
  expect(marked(tree, span(15, '5'))).toBe('<p>5 of <mark>5</mark> <cite>[q1]</cite>, 5</p>')
})

test('a number behind an escape is found, and one that is not there is not', () => {
  const node = text('a*b 1,200 c')
  const tree = element('p', { ...node, position: { start: { offset: 0 }, end: { offset: 12 } } })
  expect(marked(tree, span(5, '1,200'), span(0, '77'))).toBe('<p>a*b <mark>1,200</mark> c</p>')
})

test('text whose place is not known has its citations still', () => {
  expect(marked(element('p', text('5 [q1]')), span(0, '5'))).toBe('<p>5 <cite>[q1]</cite></p>')
})
