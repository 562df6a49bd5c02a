import { defineAgent } from "@cursor/bdk";

export default defineAgent({
  name: "Ежедневник",
  description: "Помнит, что вам нравится, и собирает из дел спокойный день.",
});
