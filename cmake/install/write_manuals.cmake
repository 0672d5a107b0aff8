# `cmake --install` runs this script. `program` writes its manual pages and completions into `generated_folder`, so that
# an installation requires no target but the program.
file(REMOVE_RECURSE ${generated_folder})
file(MAKE_DIRECTORY ${generated_folder}/man ${generated_folder}/bash ${generated_folder}/zsh ${generated_folder}/fish)
string(TIMESTAMP today "%Y-%m-%d" UTC)
execute_process(COMMAND ${program} man --all ${generated_folder}/man --date ${today} COMMAND_ERROR_IS_FATAL ANY)
foreach(file bash/warpcheck zsh/_warpcheck fish/warpcheck.fish)
  get_filename_component(shell ${file} DIRECTORY)
  execute_process(COMMAND ${program} completion ${shell}
    OUTPUT_FILE ${generated_folder}/${file} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
