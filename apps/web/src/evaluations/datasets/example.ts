import type { Lang } from '../../words/words.ts'

/** Questions that every agent can be asked, one for each kind of expectation. */
export const exampleQuestions: Readonly<Record<Lang, string>> = {
  en: `name: First questions
questions:
  - question_id: greeting
    question: Say hello and tell me in one sentence what you can do.
    category: basics
    difficulty: easy
  - question_id: sum
    question: What is 17 + 25? Answer with the number alone.
    expected_keywords: ["42"]
    category: numbers
    difficulty: easy
  - question_id: date
    question: Write the 2nd of January 2027 as an ISO date.
    expected_pattern: "2027-01-02"
    category: numbers
    difficulty: easy
    tags: [format]
`,
  zh: `name: 第一组题目
questions:
  - question_id: greeting
    question: 打个招呼，用一句话说明你能做什么。
    category: 基础
    difficulty: 简单
  - question_id: sum
    question: 17 + 25 等于多少？只回答数字。
    expected_keywords: ["42"]
    category: 数字
    difficulty: 简单
  - question_id: date
    question: 把 2027 年 1 月 2 日写成 ISO 日期。
    expected_pattern: "2027-01-02"
    category: 数字
    difficulty: 简单
    tags: [格式]
`,
}
