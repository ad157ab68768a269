import type { Text } from '../words/index.ts'

export const words = {
  placeholder: {
    en: 'Ask anything. / for commands, @ for files, tools and tables, ? for keys',
    zh: '输入问题。/ 命令，@ 文件、工具和数据表，? 按键',
  },
  queued: { en: 'waits', zh: '排队' },
  takeBack: { en: 'Up takes the last one back', zh: '按 ↑ 取回最后一条' },
  rowsAbove: (count: string): Text => ({ en: `${count} more above`, zh: `上方还有 ${count} 行` }),
  rowsBelow: (count: string): Text => ({ en: `${count} more below`, zh: `下方还有 ${count} 行` }),
  moreQueued: (count: number): Text => ({ en: `${count} more`, zh: `另有 ${count} 条` }),
  search: { en: 'search', zh: '搜索' },
  searchKeys: {
    en: 'Ctrl+R older · Enter takes · Esc leaves',
    zh: 'Ctrl+R 更早 · Enter 取用 · Esc 离开',
  },
  nothingFound: { en: 'nothing like it', zh: '没有匹配的内容' },
  noEditor: {
    en: 'No editor is set. Set VISUAL or EDITOR, for example: export EDITOR=nano',
    zh: '未设置编辑器。请设置 VISUAL 或 EDITOR，例如：export EDITOR=nano',
  },
  editorNotStarted: (command: string): Text => ({
    en: `The editor "${command}" could not be started. Check VISUAL and EDITOR.`,
    zh: `无法启动编辑器“${command}”。请检查 VISUAL 和 EDITOR。`,
  }),
  editorFailed: (command: string, how: string): Text => ({
    en: `The editor "${command}" ended with ${how}. The text is as it was.`,
    zh: `编辑器“${command}”以 ${how} 结束，文本未改变。`,
  }),
  editorLeftNothing: {
    en: 'What the editor left could not be read. The text is as it was.',
    zh: '无法读取编辑器保存的内容，文本未改变。',
  },
  badBindings: (file: string, problem: string): Text => ({
    en: `${file}: ${problem}. The other keys are as they were.`,
    zh: `${file}：${problem}。其余按键不变。`,
  }),
  notJson: { en: 'it is no JSON object', zh: '不是 JSON 对象' },
  unreadable: { en: 'it cannot be read', zh: '无法读取' },
  noSuchAction: (name: string): Text => ({
    en: `"${name}" is no action`,
    zh: `没有名为“${name}”的操作`,
  }),
  noSuchKey: (key: string): Text => ({ en: `"${key}" is no key`, zh: `没有名为“${key}”的按键` }),
  keptKey: (key: string): Text => ({
    en: `${key} stays what it is, so that the program can always be left`,
    zh: `${key} 不可更改，以保证随时可以退出`,
  }),
  takenKey: (key: string): Text => ({ en: `${key} is given twice`, zh: `${key} 被指定了两次` }),
} as const
