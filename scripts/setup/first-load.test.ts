import { expect, test } from 'vitest'
import { filesOf } from './first-load.mjs'

const manifest = {
  'index.html': { file: 'a/index.js', imports: ['_shared.js'], css: ['a/index.css'] },
  'src/chat.tsx': { file: 'a/chat.js', imports: ['_shared.js', 'index.html'] },
  'src/admin.tsx': { file: 'a/admin.js', imports: ['_shared.js'] },
  '_shared.js': { file: 'a/shared.js' },
}

test('the first page takes what its parts import at once, each file once', () => {
  expect([...filesOf(manifest, ['index.html', 'src/chat.tsx'])].toSorted()).toEqual([
    ...['a/chat.js', 'a/index.css', 'a/index.js', 'a/shared.js', 'index.html'],
  ])
})

test('a part that was renamed is missed', () => {
  expect(() => filesOf(manifest, ['src/none.tsx'])).toThrow('no part "src/none.tsx"')
})
