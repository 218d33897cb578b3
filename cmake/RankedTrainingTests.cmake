# Trainings by several processes, whose logs must be those of one process.
function(edgewise_add_ranked_training_tests)
  if(NOT TARGET train_gcn_on_mpi OR NOT TARGET train_gat_on_mpi)
    return()
  elseif(NOT Python3_FOUND)
    message(STATUS "edgewise: no test of trainings by ranks (it takes python3)")
    return()
  endif()
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/ranked_trainings)
  file(MAKE_DIRECTORY ${folder})
  set(compare ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/train/compare_logs.py)
  set(epochs 8)

  # training(name model data option...): the command of all trainings of a name.
  macro(training name model data)
    set(command $<TARGET_FILE:train> --model ${model} --data ${data} --epochs ${epochs} --print-every 0 ${ARGN})
    set(log ${folder}/${name})
  endmacro()
  # one_process(name option...), ranks(name count option...): run it and write a log, before logs are compared.
  macro(one_process name suffix)
    add_test(NAME train.ranks.${name}.${suffix} COMMAND ${command} --log ${log}.${suffix} ${ARGN})
    set_tests_properties(train.ranks.${name}.${suffix} PROPERTIES LABELS cpu FIXTURES_SETUP ranks_${name}
      ENVIRONMENT OMP_WAIT_POLICY=passive)
  endmacro()
  macro(ranks name suffix count)
    edgewise_launch_ranks(train.ranks.${name}.${suffix} ${count} ${command} --ranks --log ${log}.${suffix} ${ARGN})
    set_tests_properties(train.ranks.${name}.${suffix} PROPERTIES TIMEOUT 300 FIXTURES_SETUP ranks_${name})
  endmacro()
  macro(compared name)
    add_test(NAME train.ranks.${name} COMMAND ${compare} ${log}.one ${ARGN})
    set_tests_properties(train.ranks.${name} PROPERTIES LABELS cpu FIXTURES_REQUIRED ranks_${name})
  endmacro()

  # Besides graphs whose features are identities, folders with others, of one class for each vertex and of sets of labels.
  foreach(labels classes sets types)
    add_test(NAME train.ranks.${labels} COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/train/write_folder.py
      ${folder}/${labels} ${labels})
    set_tests_properties(train.ranks.${labels} PROPERTIES LABELS cpu FIXTURES_SETUP ranks_folders)
  endforeach()
  foreach(training "gcn karate" "gat karate" "gcn sbm" "gat sbm" "gcn classes" "gat classes" "gcn sets")
    separate_arguments(training)
    list(POP_FRONT training model data)
    set(name ${model}_${data})
    if(data MATCHES "classes|sets")
      set(data ${folder}/${data})
    endif()
    training(${name} ${model} ${data})
    one_process(${name} one)
    ranks(${name} two 2)
    ranks(${name} four 4)
    compared(${name} ${log}.two:2 ${log}.four:4)
    if(IS_ABSOLUTE ${data})
      set_tests_properties(train.ranks.${name}.one train.ranks.${name}.two train.ranks.${name}.four PROPERTIES
        FIXTURES_REQUIRED ranks_folders)
    endif()
  endforeach()

  # The other models, where they are compiled for ranks.
  foreach(model agnn appnp gatv2 gin gt monet pna rgcn sage sage_max sgc)
    if(TARGET train_${model}_on_mpi)
      set(data classes)
      if(model STREQUAL rgcn)
        set(data types)
      endif()
      training(${model} ${model} ${folder}/${data})
      one_process(${model} one)
      ranks(${model} three 3)
      compared(${model} ${log}.three:3)
      set_tests_properties(train.ranks.${model}.one train.ranks.${model}.three PROPERTIES
        FIXTURES_REQUIRED ranks_folders)
    endif()
  endforeach()

  # A dense copy of the features, and parts by METIS.
  training(dense gcn sbm --features dense)
  one_process(dense one)
  ranks(dense three 3)
  compared(dense ${log}.three:3)
  if(TARGET edgewise::metis)
    training(metis gcn sbm)
    one_process(metis one)
    ranks(metis three 3 --partition metis)
    compared(metis ${log}.three:3)
  endif()

  # A checkpoint of two ranks goes on with four, and in one process.
  training(resumed gcn sbm)
  one_process(resumed one)
  set(saved ${folder}/two_ranks.checkpoint)
  edgewise_launch_ranks(train.ranks.saved 2 $<TARGET_FILE:train> --model gcn --data sbm --epochs 3 --ranks --save ${saved})
  set_tests_properties(train.ranks.saved PROPERTIES TIMEOUT 300 FIXTURES_SETUP ranks_saved)
  ranks(resumed by_four 4 --resume ${saved})
  one_process(resumed by_one --resume ${saved})
  set_tests_properties(train.ranks.resumed.by_four train.ranks.resumed.by_one PROPERTIES FIXTURES_REQUIRED ranks_saved)
  compared(resumed ${log}.by_four:4 ${log}.by_one:1)

  # The comparison sees another training, and an error ends all ranks.
  training(differences gcn karate)
  one_process(differences one)
  one_process(differences other --seed 1)
  compared(differences ${log}.other:1)
  set_tests_properties(train.ranks.differences PROPERTIES PASS_REGULAR_EXPRESSION "epoch 0: loss is")
  edgewise_launch_ranks(train.ranks.error 2 $<TARGET_FILE:train> --ranks --data ${folder}/nowhere)
  set_tests_properties(train.ranks.error PROPERTIES TIMEOUT 60
    PASS_REGULAR_EXPRESSION "train: rank 0: --data .*nowhere: neither karate, sbm nor a folder")
endfunction()

# The same on GPUs, against one process with a GPU. A machine with fewer GPUs than ranks skips.
function(edgewise_add_gpu_training_tests)
  if(NOT TARGET train_gcn_on_nccl OR NOT Python3_FOUND)
    return()
  endif()
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/ranked_trainings)
  file(MAKE_DIRECTORY ${folder})
  foreach(count 1 2)
    set(log ${folder}/gpus_${count})
    set(options "--device cuda --model gcn --data sbm --epochs 8 --print-every 0")
    add_test(NAME train.ranks.gpus_${count} COMMAND sh -ec
      "$0 ${options} --log $4.one; $1 ${count} $0 ${options} --ranks --log $4.ranks; $2 $3 $4.one $4.ranks:${count}"
      $<TARGET_FILE:train> ${PROJECT_SOURCE_DIR}/scripts/launch-ranks ${Python3_EXECUTABLE}
      ${CMAKE_CURRENT_SOURCE_DIR}/train/compare_logs.py ${log})
    set_tests_properties(train.ranks.gpus_${count} PROPERTIES LABELS gpu TIMEOUT 120
      SKIP_REGULAR_EXPRESSION "cudaErrorNoDevice;cudaErrorInsufficientDriver;GPUs for ${count} processes")
  endforeach()
endfunction()
