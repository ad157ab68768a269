import { defineWords } from '../words/words.ts'

/** What all parts of the data page say. */
export const dataWords = defineWords({
  en: {
    title: 'Data',
    about:
      'What can be asked about, what its words mean, and questions that are known to be right.',
    tabs: 'Data',
    sources: 'Sources',
    questions: 'Questions',
    definitions: 'Definitions',
    log: 'Query log',
    add: 'Add',
    edit: 'Edit',
    save: 'Save',
    remove: 'Remove',
    saved: 'Saved.',
    removed: 'Removed.',
    source: 'Source',
    anySource: 'Of all sources',
    unknownSource: 'a source that is gone',
  },
  zh: {
    title: '数据',
    about: '可以询问的数据、业务用语的含义，以及已确认无误的问题。',
    tabs: '数据',
    sources: '数据源',
    questions: '问题',
    definitions: '定义',
    log: '查询记录',
    add: '添加',
    edit: '编辑',
    save: '保存',
    remove: '移除',
    saved: '已保存。',
    removed: '已移除。',
    source: '数据源',
    anySource: '适用于所有数据源',
    unknownSource: '已移除的数据源',
  },
})
