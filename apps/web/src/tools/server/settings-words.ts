import { defineWords } from '../../words/words.ts'

export const settingsWords = defineWords({
  en: {
    about:
      'Its configuration, to be copied into another product or another DataAgent. Secrets are not in it: fill in what stands between < and >.',
    save: 'Save as file',
    changed: (time: string) => `Last changed ${time}`,
    nextSession:
      'A change holds from the next chat on; chats that are under way go on as they began.',
    json: 'Configuration as JSON',
  },
  zh: {
    about: '它的配置，可复制到其他产品或另一个 DataAgent。其中不含机密：请填写 < 与 > 之间的内容。',
    save: '保存为文件',
    changed: (time: string) => `最后更改于 ${time}`,
    nextSession: '更改从下一个对话起生效，进行中的对话不受影响。',
    json: '配置（JSON）',
  },
})
