import { prompt } from "@cursor/bdk";
import { defineSkill } from "@cursor/bdk/skills";

export default defineSkill({
  description: "Use when evidence for a control has to be judged.",
  markdown: prompt`
    # Evidence

    Evidence names a date, a person and a place where it can be seen again. What lacks one of
    them is a statement. The form is in \`form.md\` beside this file.
  `,
  files: { "form.md": "| control | date | person | place |\n| --- | --- | --- | --- |\n" },
});
