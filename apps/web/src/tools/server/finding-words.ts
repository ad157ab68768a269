import { defineWords } from '../../words/words.ts'

interface FindingWords {
  /** What the server says of a finding is English, and has its details. */
  kinds: Readonly<Record<string, string>>
  say(kind: string | undefined, message: string): string
}

export const findingWords = defineWords<FindingWords>({
  en: { kinds: {}, say: (_, message) => message },
  zh: {
    kinds: {
      hidden_characters: '含有看不见的字符，已移除。',
      bidirectional_text: '含有改变文字方向的字符。',
      oversize_text: '文字过长，已截断。',
      look_alike_name: '名称与另一个名称相似，容易混淆。',
      instruction_like_text: '含有像是对模型下指令的文字。',
      encoded_text: '含有编码过的文字。',
      odd_name: '名称不寻常。',
      unusable: '该定义无法使用。',
    },
    say: (kind, message) => (kind === undefined ? message : `${kind}（原文：${message}）`),
  },
})
