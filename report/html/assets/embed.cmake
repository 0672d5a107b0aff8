# cmake -D FOLDER=... -D OUTPUT=... -P embed.cmake: writes the style sheet and the script as string literals.
file(READ ${FOLDER}/report.css style)
file(READ ${FOLDER}/report.js script)
file(WRITE ${OUTPUT} "#include \"report/html/assets.hpp\"

namespace warpcheck::report::html {

const std::string_view kStyle = R\"embedded(${style})embedded\";
const std::string_view kScript = R\"embedded(${script})embedded\";

}  // namespace warpcheck::report::html
")
