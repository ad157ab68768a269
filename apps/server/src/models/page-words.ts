import type { Lang } from '../config/index.ts'

/** The words of the page besides what the document says. */
export interface PageWords {
  title: string
  subjects: string
  schemas: string
  parameters: string
  body: string
  answers: string
  name: string
  type: string
  about: string
  required: string
  machine: string

  in: Record<string, string>
}

export const pageWords: Record<Lang, PageWords> = {
  en: {
    title: 'API reference',
    subjects: 'Subjects',
    schemas: 'Schemas',
    parameters: 'Parameters',
    body: 'Body',
    answers: 'Answers',
    name: 'Name',
    type: 'Type',
    about: 'About',
    required: 'required',
    machine: 'For programs: OpenAPI 3.1',

    in: { path: 'path', query: 'query', header: 'header' },
  },
  zh: {
    title: 'API 参考',
    subjects: '主题',
    schemas: '数据结构',
    parameters: '参数',
    body: '请求体',
    answers: '响应',
    name: '名称',
    type: '类型',
    about: '说明',
    required: '必填',
    machine: '供程序使用：OpenAPI 3.1',

    in: { path: '路径', query: '查询', header: '请求头' },
  },
}
